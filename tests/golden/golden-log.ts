import { createHash } from "node:crypto";
import type { DomainEvent } from "../../events/catalogue.ts";
import { initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { decodeRaw, previousOf, understand } from "../../src/store/event-codec.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { genesis } from "../../src/store/head.ts";

/** The stream of every golden log. */
export const GOLDEN_STREAM = "session/golden";

/** A log as it was stored: a value a line in base64; then the head and the digest of the states of its day. */
export interface GoldenLog {
	readonly values: readonly Buffer[];
	readonly head: string;
	readonly states: string;
}

/** What a golden log's file holds. */
export function parseGolden(file: string): GoldenLog {
	const lines = file.trimEnd().split("\n");
	const [head = "", states = ""] = (lines.pop() ?? "").split(" ");
	return { values: lines.map((line) => Buffer.from(line, "base64")), head, states };
}

/** The file of a golden log. */
export function goldenFile(values: readonly Uint8Array[]): string {
	const lines = values.map((value) => Buffer.from(value).toString("base64"));
	const { head, states } = meaningOf(values);
	return `${[...lines, `${head} ${digestOfStates(states)}`].join("\n")}\n`;
}

/** Checks the chain of stored values, upcasts each event and folds it. */
export function meaningOf(values: readonly Uint8Array[]): {
	head: string;
	types: ReadonlySet<string>;
	states: SessionStates;
} {
	const states = initialStates();
	const types = new Set<string>();
	let head = genesis(GOLDEN_STREAM);
	for (const [position, value] of values.entries()) {
		if (previousOf(value) !== head) throw new Error(`the chain breaks at ${position}`);
		head = sha256Node(value);
		const { type, data, at } = understand(REGISTRY, decodeRaw(GOLDEN_STREAM, position, value, head));
		types.add(type);
		replayStates(states, [{ event: { type, data } as DomainEvent, position, at }]);
	}
	return { head, types, states };
}

/** A digest of states that sees every Map and Set in them. */
export function digestOfStates(states: SessionStates): string {
	const plain = JSON.stringify(states, (_key, value: unknown) => {
		if (value instanceof Map) return { map: [...value] };
		if (value instanceof Set) return { set: [...value] };
		return value;
	});
	return createHash("sha256").update(plain).digest("hex");
}
