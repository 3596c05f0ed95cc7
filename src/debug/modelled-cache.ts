import { tokensOf } from "../../projections/calibration.ts";
import { refreshesBetween, refreshPrice } from "../../projections/host-warming.ts";
import { UNPRICED } from "../../projections/price.ts";
import { type EntryNode, isAtOrAbove, nodeOf, type Weight } from "../../projections/session-tree.ts";
import { itemKey, weightOf } from "../../projections/window-plan.ts";
import { blocksIn, passedBetween } from "./between-requests.ts";
import { LOOKBACK_BLOCKS } from "./cache.ts";
import type { History, PastRequest } from "./history.ts";
import { itemsOf } from "./past-items.ts";
import { tokensThen } from "./past-sizes.ts";

/** What the caches would have served of a window, by the rules they are taken to follow. */
export interface ModelledRequest {
	/** tokens of the window, as estimated when it was prepared */
	readonly tokens: number;
	/** how many of them a live cache served */
	readonly served: number;
	/** how many it would have served had nothing broken what was sent before it on this session, on whatever model */
	readonly unbroken: number;
	/** the request whose cache served it; absent where none did */
	readonly by?: number;
	/** whether caches of its model were there once and had all gone when it was sent */
	readonly isIdle: boolean;
	/** dollars paid to keep an idle cache warm before it was sent */
	readonly kept: number;
}

interface Modelled {
	readonly version: number;
	/** as it was said; absent where it was told from the recording, which is not to be done for every question */
	readonly warms: boolean | undefined;
	readonly by: ReadonlyMap<number, ModelledRequest>;
}

const known = new WeakMap<History, Modelled>();

/**
 * What caches would have served of every window of a stream, by request: a longest-prefix cache as far as a live window
 * reads alike, a breakpoint cache a whole earlier window or the system prompt. Worked out once for each head. O(requests),
 * and O(window) where a window does not just go on.
 * @param warms whether the host keeps idle caches warm; as `keepsWarm` tells of the recording unless given
 */
export function modelledRequests(history: History, warms?: boolean): ReadonlyMap<number, ModelledRequest> {
	const before = known.get(history);
	if (before?.version === history.head.version && before.warms === warms) return before.by;
	const caches = new ModelledCaches(history, warms ?? keepsWarm(history));
	const by = new Map(history.requests.map((request) => [request.prepared.request, caches.send(request)]));
	known.set(history, { version: history.head.version, warms, by });
	return by;
}

/** Index of the first item in which two windows differ; the number of the earlier one's where the later goes on. */
function firstDifference(history: History, earlier: PastRequest, later: PastRequest): number {
	const { request, items } = earlier.prepared;
	if (later.prepared.request === request + 1) return later.prepared.change?.item ?? items;
	const [a, b] = [itemsOf(history, earlier), itemsOf(history, later)];
	const index = a.findIndex((item, place) => !b[place] || itemKey(item) !== itemKey(b[place]));
	return index === -1 ? a.length : index;
}

/** How many items at the start of a window are system messages. O(window). */
export function systemItems(history: History, request: PastRequest): number {
	const items = itemsOf(history, request);
	const index = items.findIndex((item) => item.kind !== "entry" || item.node.role !== "system");
	return index === -1 ? items.length : index;
}

/**
 * Tokens of every prompt that are in none of its items: what the first measured one holds besides. Later ones would
 * bring in by how much the rate of characters was off until then.
 */
export function tokensBefore({ requests, states }: History): number {
	const first = requests.find(({ measured }) => measured)?.measured;
	if (!first) return 0;
	const prompt = first.input + first.cacheRead + first.cacheWrite;
	return Math.max(0, prompt - tokensOf(states.calibration, first));
}

/** Tokens of so many items at the start of a window, and of what stands before them. O(window). */
export function tokensUpTo(history: History, request: PastRequest, count: number): number {
	const { tokens, items } = request.prepared;
	if (count >= items) return tokens;
	const weight = itemsOf(history, request).slice(0, count).map(weightOf).reduce(add, { chars: 0, images: 0 });
	return Math.min(tokens, tokensBefore(history) + tokensThen(request.sizes, weight));
}

interface Sent {
	readonly request: PastRequest;
	readonly decision: number | null;
	readonly node: EntryNode | undefined;
}

class ModelledCaches {
	readonly #history: History;
	readonly #warms: boolean;
	readonly #byModel = new Map<string, Sent[]>();
	/** the window sent last; the host keeps this one warm, and no other */
	#last: Sent | undefined;

	constructor(history: History, warms: boolean) {
		this.#history = history;
		this.#warms = warms;
	}

	send(request: PastRequest): ModelledRequest {
		const { leaf, model, tokens, at } = request.prepared;
		const node = nodeOf(this.#history.states.tree, leaf);
		const next: Sent = { request, decision: node?.decision ?? null, node };
		const refreshes = this.#last ? this.#refreshes(this.#last, at) : [];
		const kept = this.#last
			? refreshes.length * refreshPrice(worthOf(this.#last), this.#last.request.prepared.tokens)
			: 0;
		const sent = this.#byModel.get(model) ?? [];
		const best = this.#best(sent, next);
		const unbroken = Math.min(tokens, this.#last?.request.prepared.tokens ?? 0);
		const isIdle = sent.length > 0 && !sent.some((one) => this.#isAlive(one, at));
		this.#byModel.set(model, [...sent.slice(-KEPT), next]);
		this.#last = next;
		return { tokens, served: best?.served ?? 0, unbroken, isIdle, kept, ...(best && { by: best.by }) };
	}

	#best(sent: readonly Sent[], next: Sent): { served: number; by: number } | undefined {
		const previous = sent.at(-1);
		if (!previous) return undefined;
		const { tree } = this.#history.states;
		const isKin = ({ decision, node }: Sent) =>
			decision === next.decision &&
			(!node || (next.node !== undefined && isAtOrAbove(tree, node, next.node)));
		const candidates = [{ window: previous, user: previous }];
		if (!isKin(previous)) {
			const kin = sent.findLast(isKin);
			const uses = ({ decision, node }: Sent) =>
				kin?.node && node && decision === kin.decision && isAtOrAbove(tree, kin.node, node);
			if (kin) candidates.push({ window: kin, user: sent.findLast(uses) ?? kin });
		}
		let best: { served: number; by: number } | undefined;
		for (const { window, user } of candidates) {
			if (!this.#isAlive(user, next.request.prepared.at)) continue;
			const served = this.#served(window, next);
			if (served > (best?.served ?? 0)) best = { served, by: window.request.prepared.request };
		}
		return best;
	}

	#served(window: Sent, { request }: Sent): number {
		const { tokens, items } = window.request.prepared;
		const most = request.prepared.tokens;
		const isBreakpoint = worthOf({ request }).cache === "breakpoint";
		const same = firstDifference(this.#history, window.request, request);
		if (same >= items) {
			const reaches =
				!isBreakpoint || blocksIn(passedBetween(this.#history, window.request, request)) <= LOOKBACK_BLOCKS;
			if (reaches) return Math.min(most, tokens);
		}
		return tokensUpTo(this.#history, request, isBreakpoint ? systemItems(this.#history, request) : same);
	}

	#refreshes(sent: Sent, next: number): number[] {
		const { at, tokens } = sent.request.prepared;
		return this.#warms ? refreshesBetween(worthOf(sent), tokens, at, next) : [];
	}

	/** Whether the cache of a window, used last by another, is still there. A clock that jumped back is no time. */
	#isAlive(user: Sent, now: number): boolean {
		const touched = (user === this.#last && this.#refreshes(user, now).at(-1)) || user.request.prepared.at;
		return Math.max(0, now - touched) <= worthOf(user).lifetimeMs;
	}
}

/** Windows of one model whose caches are looked through. */
const KEPT = 500;

/**
 * Whether the recording took the host to keep idle caches warm, which no event says: a window that no cache could
 * have lived for and that was not cold tells that it did, one that a refresh would have kept and that was cold that it did
 * not. A replay does unless it is told otherwise.
 */
export function keepsWarm({ requests, states }: History): boolean {
	for (const [index, { prepared }] of requests.entries()) {
		const before = requests[index - 1];
		if (!before || before.prepared.model !== prepared.model) continue;
		const isNew = before.prepared.commit !== prepared.commit;
		const trigger = isNew ? states.ledger.quoted.get(prepared.commit ?? "")?.trigger : undefined;
		if (isNew && trigger !== "cold") continue;
		const worth = worthOf({ request: before });
		const { at, tokens } = before.prepared;
		if (prepared.at - at <= worth.lifetimeMs) continue;
		const touched = refreshesBetween(worth, tokens, at, prepared.at).at(-1);
		if (touched !== undefined && prepared.at - touched <= worth.lifetimeMs) return !prepared.cold;
	}
	return true;
}

function worthOf({ request }: Pick<Sent, "request">) {
	return request.valuation ?? UNPRICED;
}

function add(a: Weight, b: Weight): Weight {
	return { chars: a.chars + b.chars, images: a.images + b.images };
}
