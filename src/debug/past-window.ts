import type { RequestEvent } from "../../events/request.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { Item } from "../../projections/window-plan.ts";
import type { Store } from "../store/store.ts";
import { digestOfItems, itemsOf } from "./past-items.ts";
import { pastStates } from "./past-states.ts";

type Prepared = Extract<RequestEvent, { type: "request/prepared" }>["data"];

/** A window as it was sent, rebuilt from the log. */
export interface PastWindow {
	/** place of the request in the stream */
	readonly position: number;
	readonly prepared: Prepared;
	readonly items: readonly Item[];
	/** hex digest of the items as rebuilt; that of the log is `prepared.window` */
	readonly digest: string;
	/** what the stream meant when the window was sent */
	readonly states: SessionStates;
}

/** No request of that number is in the stream; it holds so many. */
export interface NoSuchRequest {
	readonly requests: number;
}

/** Rebuilds the window of the `request`th request of a stream (from 1) from the store alone. Throws as `pastStates`. */
export async function pastWindow(
	store: Store,
	stream: string,
	request: number,
	onProgress?: (done: number) => void,
): Promise<PastWindow | NoSuchRequest> {
	const { states, stoppedAt } = await pastStates(store, stream, {
		stop: ({ event }) => event.type === "request/prepared" && event.data.request === request,
		...(onProgress && { onProgress }),
	});
	if (stoppedAt?.event.type !== "request/prepared") return { requests: states.ledger.requests };
	const prepared = stoppedAt.event.data;
	const items = itemsOf({ states }, { prepared });
	const digest = digestOfItems(items);
	return { position: stoppedAt.position, prepared, items, digest, states };
}
