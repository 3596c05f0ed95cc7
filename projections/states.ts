import type { DomainEvent } from "../events/catalogue.ts";
import { type Calibration, calibration } from "./calibration.ts";
import { type Compactions, compactions } from "./compactions.ts";
import { type Forest, forest } from "./forest.ts";
import { type HostAlone, hostAlone } from "./host-alone/host-alone.ts";
import { type Ledger, ledger } from "./ledger.ts";
import { type MemoryPositions, memoryPositions } from "./memory/positions.ts";
import { type Outputs, outputs } from "./outputs.ts";
import { type Plans, plans } from "./plans.ts";
import { evolve, type Placed, type Projection, replayInto } from "./projection.ts";
import { type Rules, rules } from "./rules.ts";
import type { SessionTree } from "./session-tree.ts";
import { sessionTree } from "./session-tree-reducer.ts";

/** Everything a session's stream means, side by side. */
export interface SessionStates {
	readonly tree: SessionTree;
	readonly forest: Forest;
	readonly plans: Plans;
	readonly rules: Rules;
	readonly calibration: Calibration;
	readonly ledger: Ledger;
	readonly outputs: Outputs;
	readonly hostAlone: HostAlone;
	readonly compactions: Compactions;
	readonly memory: MemoryPositions;
}

const PROJECTIONS: { readonly [K in keyof SessionStates]: Projection<SessionStates[K], never> } = {
	tree: sessionTree,
	forest,
	plans,
	rules,
	calibration,
	ledger,
	outputs,
	hostAlone,
	compactions,
	memory: memoryPositions,
};

/** A projection among the others. */
type Named = readonly [keyof SessionStates, Projection<unknown, DomainEvent>];

const NAMED = Object.entries(PROJECTIONS) as unknown as readonly Named[];

/** The states of a stream that holds nothing. */
export function initialStates(): SessionStates {
	return statesBy(({ initial }) => initial());
}

/** One projection's state, by name and version. */
export interface NamedState {
	readonly name: string;
	readonly version: number;
	readonly state: unknown;
}

/** The states as checkpoints. */
export function checkpointsOf(states: SessionStates): NamedState[] {
	return NAMED.map(([key, { name, version }]) => ({ name, version, state: states[key] }));
}

/** The states that checkpoints held; absent where one is missing. */
export function statesFrom(find: (name: string, version: number) => unknown): SessionStates | undefined {
	const states = statesBy(({ name, version }) => find(name, version));
	return NAMED.every(([key]) => states[key] !== undefined) ? states : undefined;
}

/** The states after a batch, those before it untouched. */
export function evolveStates(states: SessionStates, batch: readonly Placed<DomainEvent>[]): SessionStates {
	return statesBy((projection, key) => {
		const heard = heardBy(projection, batch);
		return heard.length === 0 ? states[key] : evolve(projection, states[key], heard);
	});
}

/** Folds a batch into states that nobody else holds. */
export function replayStates(owned: SessionStates, batch: readonly Placed<DomainEvent>[]): void {
	for (const [key, projection] of NAMED) replayInto(projection, owned[key], heardBy(projection, batch));
}

function statesBy(
	stateOf: (projection: Projection<unknown, DomainEvent>, key: keyof SessionStates) => unknown,
): SessionStates {
	const states = NAMED.map(([key, projection]) => [key, stateOf(projection, key)]);
	return Object.fromEntries(states) as SessionStates;
}

function heardBy(
	{ listens }: Projection<unknown, DomainEvent>,
	batch: readonly Placed<DomainEvent>[],
): readonly Placed<DomainEvent>[] {
	return batch.filter(({ event }) => listens[event.type] === true);
}
