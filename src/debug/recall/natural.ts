import type { RecallDocument } from "../../../projections/recall/document.ts";
import { eachNeed, type Need } from "../needs.ts";
import type { TrajectoryRequest } from "../trajectory.ts";
import { comparable } from "./plan.ts";

/** A name that stands in more entries is not rare. */
const RARE = 3;

/** Names asked for at one request at most. */
const PER_REQUEST = 4;

/** A name that a reply used although it stood in no window any more. */
export interface NaturalQuestion {
	readonly name: string;
	/** ids of the entries on the path before the request, and whether its window hid them */
	readonly older: ReadonlyMap<string, boolean>;
	/** ids of the hidden ones that hold the name, capitals or not */
	readonly wanted: readonly string[];
}

/** Rare names that replies used although they stood in no window any more, request by request. */
export function* naturalQuestions(
	trajectory: readonly TrajectoryRequest[],
	documents: readonly RecallDocument[],
): Generator<NaturalQuestion> {
	const needs: Need[] = [];
	eachNeed(trajectory, (need) => needs.push(need));
	const texts = new Map(documents.map(({ id, text }) => [id, comparable(text)]));
	let request: TrajectoryRequest | undefined;
	let older: ReadonlyMap<string, boolean> = new Map();
	let asked = 0;
	for (const need of needs) {
		if (need.request !== request) {
			request = need.request;
			older = olderThan(request);
			asked = 0;
		}
		const sought = comparable(need.name);
		const holding = [...older.keys()].filter((id) => texts.get(id)?.includes(sought));
		const wanted = holding.filter((id) => older.get(id));
		if (wanted.length === 0 || holding.length > RARE || asked === PER_REQUEST) continue;
		asked += 1;
		yield { name: need.name, older, wanted };
	}
}

function olderThan({ view, upTo }: TrajectoryRequest): Map<string, boolean> {
	const { path, folded, kept } = view;
	return new Map(path.slice(0, upTo).map(({ id }, depth) => [id, depth < folded && !kept.has(id)]));
}
