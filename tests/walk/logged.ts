import type { DomainEvent } from "../../events/catalogue.ts";
import { type DecisionEvent, plans } from "../../projections/plans.ts";
import type { Placed } from "../../projections/projection.ts";
import { initialStates, replayStates, type SessionStates } from "../../projections/states.ts";
import { type Item, planAt, windowItems } from "../../projections/window-plan.ts";

/** A window that was sent, as the log alone gives it. */
export interface Logged {
	readonly prepared: Extract<DomainEvent, { type: "request/prepared" }>["data"];
	readonly items: readonly Item[];
	/** what the log meant then */
	readonly states: SessionStates;
}

/** Every window of a log, from its events alone. The states go on changing: look at them while it is told. */
export function* windowsOf(events: readonly Placed<DomainEvent>[]): Generator<Logged> {
	const states = initialStates();
	for (const placed of events) {
		if (placed.event.type === "request/prepared") {
			const prepared = placed.event.data;
			const items = windowItems(states, prepared.leaf, planAt(states, prepared.leaf));
			yield { prepared, items, states };
		}
		replayStates(states, [placed]);
	}
}

/** Whether an event is a decision, which owns a node. */
export function isDecision(event: DomainEvent): event is DecisionEvent {
	return plans.listens[event.type as DecisionEvent["type"]] === true && "on" in event.data;
}
