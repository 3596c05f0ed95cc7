import type { DomainEvent } from "../events/catalogue.ts";
import { type Calibration, calibration } from "./calibration.ts";
import { type Forest, forest } from "./forest.ts";
import { type HostAlone, hostAlone } from "./host-alone/host-alone.ts";
import { type Ledger, ledger } from "./ledger.ts";
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
}

/** The states of a stream that holds nothing. */
export function initialStates(): SessionStates {
	return {
		tree: sessionTree.initial(),
		forest: forest.initial(),
		plans: plans.initial(),
		rules: rules.initial(),
		calibration: calibration.initial(),
		ledger: ledger.initial(),
		outputs: outputs.initial(),
		hostAlone: hostAlone.initial(),
	};
}

/** One projection's state, by name and version. */
export interface NamedState {
	readonly name: string;
	readonly version: number;
	readonly state: unknown;
}

/** The states as checkpoints. */
export function checkpointsOf(states: SessionStates): NamedState[] {
	return BY_NAME.map(([key, { name, version }]) => ({ name, version, state: states[key] }));
}

/** The states that checkpoints held; absent where one is missing. */
export function statesFrom(find: (name: string, version: number) => unknown): SessionStates | undefined {
	const states: { [key: string]: unknown } = {};
	for (const [key, { name, version }] of BY_NAME) {
		const state = find(name, version);
		if (state === undefined) return undefined;
		states[key] = state;
	}
	return states as unknown as SessionStates;
}

const BY_NAME: readonly (readonly [
	keyof SessionStates,
	{ readonly name: string; readonly version: number },
])[] = [
	["tree", sessionTree],
	["forest", forest],
	["plans", plans],
	["rules", rules],
	["calibration", calibration],
	["ledger", ledger],
	["outputs", outputs],
	["hostAlone", hostAlone],
];

/** The states after a batch, those before it untouched. */
export function evolveStates(states: SessionStates, batch: readonly Placed<DomainEvent>[]): SessionStates {
	return {
		tree: step(sessionTree, states.tree, batch),
		forest: step(forest, states.forest, batch),
		plans: step(plans, states.plans, batch),
		rules: step(rules, states.rules, batch),
		calibration: step(calibration, states.calibration, batch),
		ledger: step(ledger, states.ledger, batch),
		outputs: step(outputs, states.outputs, batch),
		hostAlone: step(hostAlone, states.hostAlone, batch),
	};
}

/** Folds a batch into states that nobody else holds. */
export function replayStates(owned: SessionStates, batch: readonly Placed<DomainEvent>[]): void {
	replayInto(sessionTree, owned.tree, heardBy(sessionTree, batch));
	replayInto(forest, owned.forest, heardBy(forest, batch));
	replayInto(plans, owned.plans, heardBy(plans, batch));
	replayInto(rules, owned.rules, heardBy(rules, batch));
	replayInto(calibration, owned.calibration, heardBy(calibration, batch));
	replayInto(ledger, owned.ledger, heardBy(ledger, batch));
	replayInto(outputs, owned.outputs, heardBy(outputs, batch));
	replayInto(hostAlone, owned.hostAlone, heardBy(hostAlone, batch));
}

function step<S, E extends DomainEvent>(
	projection: Projection<S, E>,
	state: S,
	batch: readonly Placed<DomainEvent>[],
): S {
	const heard = heardBy(projection, batch);
	return heard.length === 0 ? state : evolve(projection, state, heard);
}

function heardBy<S, E extends DomainEvent>(
	projection: Projection<S, E>,
	batch: readonly Placed<DomainEvent>[],
): Placed<E>[] {
	const listens: { readonly [type: string]: true | undefined } = projection.listens;
	return batch.filter((placed): placed is Placed<E> => listens[placed.event.type] === true);
}
