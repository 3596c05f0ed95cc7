/**
 * Everything a program that embeds Palimpsest may use; what is not named here may change without notice. Importing it
 * needs neither the Pi coding agent nor its packages.
 *
 * The shortest way in replays a recorded session into a store of its own and tells what came of it:
 *
 * ```ts
 * const file = await openSession("session.jsonl");
 * const outcome = await replayFile({
 * 	file,
 * 	settings: DEFAULT_SETTINGS,
 * 	policyGiven: false,
 * 	warming: true,
 * 	directory: "replayed",
 * 	notice: console.warn,
 * });
 * ```
 */

// What can happen: the catalogue of events, what surrounds one in a stream, and how old ones are brought up to date.
export { CATALOGUE, type DomainEvent } from "../events/catalogue.ts";
export type { Actor, Envelope, EventDefinition, EventOf, Recorded } from "../events/envelope.ts";
export {
	createRegistry,
	EVENT_ERROR_CODES,
	EventError,
	type EventErrorCode,
	type Registry,
} from "../events/registry.ts";
export { StoreRepaired } from "../events/store.ts";
export type { Valuation } from "../events/valuation.ts";

// What it means: a session's state, the rules in force, and a transcript's entries as every host's are read.
export { DEFAULT_SETTINGS, type Settings } from "../projections/rules.ts";
export { evolveStates, initialStates, replayStates, type SessionStates } from "../projections/states.ts";
export type { ModelRef, TranscriptEntry } from "../projections/transcript.ts";

// Session files that Pi recorded, what their models cost, and a replay of one into a store.
export { modelsNamed, type Priced, valuationOf } from "./adapters/catalogue.ts";
export type { PolicyOption, Thresholds } from "./adapters/pi/choices.ts";
export type { RegisterOptions } from "./adapters/pi/options.ts";
export { OPTIONS_ERROR_CODES, OptionsError, type OptionsErrorCode } from "./adapters/pi/options-error.ts";
export {
	type Registered,
	registerPalimpsest,
	registerPalimpsest as registerPiFold,
} from "./adapters/pi/register.ts";
export {
	openSession,
	readSession,
	type SessionFile,
	type SessionOptions,
} from "./adapters/sessions/pi/session.ts";
export {
	SessionError,
	type SessionErrorCode,
	sessionErrorCodes,
} from "./adapters/sessions/pi/session-error.ts";
export { decodeEntry, withWholeTimes } from "./adapters/sessions/recorded-session.ts";
export { ReplayError, type ReplayErrorCode, replayErrorCodes } from "./adapters/sessions/replay-error.ts";
export { type FileReplay, type FileReplayed, replayFile } from "./adapters/sessions/replay-file.ts";
// One recording under every policy, and the window of any request ever made.
export {
	type Calibrated,
	type CompareOptions,
	type Comparison,
	compare,
	FLOORS,
	type FrontierPoint,
	POLICIES,
	type PolicyName,
	type PolicyRow,
} from "./debug/compare.ts";
export { type NoSuchRequest, type PastWindow, pastWindow } from "./debug/past-window.ts";
export type { ProjectionCandidate } from "./debug/projection-candidates.ts";
export type { Recording } from "./debug/trace.ts";
export { type Fault, WindowChecker } from "./debug/window-check.ts";

// The engine, for whoever brings entries of their own.
export type { Decision, NextRequest } from "./engine/decision.ts";
export { Engine, type EngineParts } from "./engine/engine.ts";
export { type Content, forgetfulJournal, type Journal } from "./engine/journal.ts";
export { type ReplayedRequest, type ReplayOptions, replaySession } from "./engine/replay.ts";
export { loadFromStore, REGISTRY, sessionStream, storeJournal } from "./engine/store-journal.ts";

// The store: opened, checked and repaired.
export { STORE_ERROR_CODES, StoreError, type StoreErrorCode } from "./store/errors.ts";
export { sha256Node } from "./store/hash.ts";
export { homeDirectory } from "./store/identity.ts";
export { type OpenOptions, openMemoryStore, openStore } from "./store/open-store.ts";
export { type Repair, type RepairOptions, repair } from "./store/repair.ts";
export type {
	AppendOptions,
	Damage,
	Store,
	StoredEvent,
	Verification,
	VerifyOptions,
} from "./store/store.ts";
export { verifyDirectory } from "./store/verify-directory.ts";
