import type { Valuation } from "../../events/valuation.ts";
import type { DecisionEvent } from "../../projections/plans.ts";
import { UNPRICED } from "../../projections/price.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { weightOf } from "../../projections/window-plan.ts";
import { blocksIn, passedBetween, tokensIn } from "./between-requests.ts";
import { LOOKBACK_BLOCKS } from "./cache.ts";
import type { BreakCause, CacheBreak, Paid } from "./cost.ts";
import type { History, PastRequest, PastStep } from "./history.ts";
import { modelledRequests, systemItems, tokensBefore, tokensUpTo } from "./modelled-cache.ts";
import { whole } from "./numbers.ts";
import { itemsOf } from "./past-items.ts";
import { tokensThen } from "./past-sizes.ts";
import { dearer } from "./request-price.ts";

/**
 * Where a cache did not serve what the request before had sent, by request. Nothing is said of the first request, nor of
 * one behind a request that was not billed. O(requests), and O(window) for each break.
 */
export function breaksOf(history: History, paid: ReadonlyMap<number, Paid>): Map<number, CacheBreak> {
	const breaks = new Map<number, CacheBreak>();
	const decided = Map.groupBy(history.decisions, ({ after }) => after);
	const telling = new Set<string>();
	const sent = new Set<string>();
	for (const [index, request] of history.requests.entries()) {
		const { prepared, isReplayed } = request;
		const now = paid.get(prepared.request);
		const before = history.requests[index - 1];
		const earlier = before && paid.get(before.prepared.request);
		if (!now) continue;
		if (now.cached + now.written > 0) telling.add(prepared.model);
		if (!before || !earlier) continue;
		noteSent(history, before.prepared.leaf, sent);
		// a provider that says nothing of caches can have broken none
		const speaks = telling.has(prepared.model) || telling.has(before.prepared.model);
		if (!isReplayed && !(now.measured && earlier.measured && speaks)) continue;
		const place = new Between(history, { request: before, paid: earlier }, { request, paid: now }, sent);
		const found = place.break(decided.get(index) ?? []);
		if (found) breaks.set(prepared.request, found);
	}
	return breaks;
}

/**
 * Tokens that may go unserved where nothing broke: providers keep prefixes in blocks. Of 1,608 recorded requests that
 * went on from the one before while its cache lived, 22 had 2,775 tokens and more unserved, the others at most 64.
 */
const SLACK = 256;

/** The share of a small prompt that stands for it. */
const SLACK_SHARE = 0.05;

interface Told {
	readonly request: PastRequest;
	readonly paid: Paid;
}

/** Something that lies between two requests, and the place up to which it leaves the window before as it was. */
interface Suspect {
	readonly cause: BreakCause;
	/** index of an item; below 0 what stands before all of them */
	readonly item: number;
	readonly words: string;
	readonly decision?: string;
}

/** Two requests in a row, and all that lies between them. */
class Between {
	readonly #history: History;
	readonly #before: Told;
	readonly #now: Told;
	readonly #passed: readonly EntryNode[];
	readonly #sent: ReadonlySet<string>;

	/** `sent` holds every entry on the path of an earlier request */
	constructor(history: History, before: Told, now: Told, sent: ReadonlySet<string>) {
		this.#history = history;
		this.#before = before;
		this.#now = now;
		this.#passed = passedBetween(history, before.request, now.request);
		this.#sent = sent;
	}

	break(decided: readonly PastStep<DecisionEvent>[]): CacheBreak | undefined {
		const { request, paid } = this.#now;
		const { prepared, valuation = UNPRICED } = request;
		const prompt = promptOf(paid);
		const kept = Math.min(promptOf(this.#before.paid), prompt);
		const slack = Math.min(SLACK, kept * SLACK_SHARE);
		const taken = paid.fresh + paid.written;
		const changed = this.#changed(decided);
		const fresh = this.#passed.filter(({ id }) => !this.#sent.has(id));
		const lost = changed ? taken - tokensIn(request, fresh) : kept - paid.cached;
		if (lost <= slack || kept - paid.cached <= slack) return undefined;

		const suspects = [...this.#outside(), ...(changed ? [changed] : [])];
		const found = this.#guilty(suspects, slack) ?? this.#provider(valuation);
		const others = suspects.filter((one) => one !== found).map(({ words }) => words);
		const item = Math.max(0, found.item);
		return {
			request: prepared.request,
			cause: found.cause,
			...(found.decision !== undefined && { decision: found.decision }),
			item,
			lost: Math.min(prompt, lost),
			cost: (Math.min(prompt, lost) * dearer(valuation, paid)) / 1e6,
			detail: [found.words, ...(others.length > 0 ? [`also ${others.join(", ")}`] : [])].join("; "),
		};
	}

	/** The earliest that explains what was not served; what breaks all of it does only where next to nothing was. */
	#guilty(suspects: readonly Suspect[], slack: number): Suspect | undefined {
		const { request, paid } = this.#now;
		const explains = ({ item, cause }: Suspect) => {
			if (cause === "model" || item < 0) return true;
			return cause !== "thinking" || paid.cached <= this.#upTo(systemItems(this.#history, request)) + slack;
		};
		const earliest = suspects.filter(explains).sort((a, b) => a.item - b.item);
		const [first, ...others] = earliest;
		if (!first || first.cause === "model" || first.item >= 0) return first;
		// an idle or changed prompt whose cache served as much as what changed behind it left was none
		const behind = others.at(-1);
		const left = behind ? this.#upTo(behind.item) : Number.POSITIVE_INFINITY;
		return behind && behind.item > 0 && paid.cached + slack >= left ? behind : first;
	}

	#upTo(count: number): number {
		return tokensUpTo(this.#history, this.#now.request, count);
	}

	/** What lies before every item: another model, an idle cache, another prompt or thinking level. */
	#outside(): Suspect[] {
		const before = this.#before.request;
		const now = this.#now.request;
		const suspects: Suspect[] = [];
		const [from, to] = [before.prepared.model, now.prepared.model];
		if (from !== to)
			suspects.push({ cause: "model", item: -4, words: `the model changed from ${from} to ${to}` });
		const idle = now.prepared.at - before.prepared.at;
		const { lifetimeMs } = now.valuation ?? UNPRICED;
		const isIdle = this.#now.paid.measured
			? now.prepared.cold && idle > lifetimeMs
			: (modelledRequests(this.#history).get(now.prepared.request)?.isIdle ?? false);
		if (isIdle) {
			const words = `${minutes(idle)} passed, and its cache lives ${minutes(lifetimeMs)}`;
			suspects.push({ cause: "idle", item: -3, words });
		}
		// a replay's caches are taken to know neither
		if (now.isReplayed) return suspects;
		if (this.#passed.some(({ role }) => role === "system"))
			suspects.push({ cause: "prompt", item: -2, words: "the system prompt or the tools changed" });
		if (this.#passed.some(({ kind }) => kind === "thinkingLevel"))
			suspects.push({ cause: "thinking", item: 0, words: "the thinking level changed" });
		return suspects;
	}

	/** What changed in the window itself. */
	#changed(decided: readonly PastStep<DecisionEvent>[]): Suspect | undefined {
		const { change, request } = this.#now.request.prepared;
		if (!change || request !== this.#before.request.prepared.request + 1) return undefined;
		const cause = CAUSES[change.cause] ?? "unknown";
		const behind = decided.findLast(({ event }) => DECIDED[event.type] === cause)?.event;
		const words = wordsOf(change.cause, behind);
		return { cause, item: change.item, words, ...(behind && { decision: behind.data.id }) };
	}

	#provider({ cache }: Valuation): Suspect {
		const { request, paid } = this.#now;
		const { cached } = paid;
		const blocks = cache === "breakpoint" ? blocksIn(this.#passed) : 0;
		const far = blocks > LOOKBACK_BLOCKS;
		const words = far
			? `about ${blocks} content blocks came since, and the cache is looked for ${LOOKBACK_BLOCKS} back`
			: `nothing had changed, and ${whole(cached)} of ${whole(promptOf(this.#before.paid))} tokens were served`;
		return { cause: "provider", item: itemAt(this.#history, request, cached), words };
	}
}

/** What a request calls a change of its window, as a break is called. */
const CAUSES: { readonly [cause: string]: BreakCause } = {
	commit: "commit",
	undo: "undo",
	expand: "expand",
	refold: "refold",
	pin: "pin",
	leaf: "leaf",
	compaction: "compaction",
	contextEdit: "edit",
};

const DECIDED: { readonly [type in DecisionEvent["type"]]?: BreakCause } = {
	"commit/applied": "commit",
	"commit/undone": "undo",
	"fold/expanded": "expand",
	"fold/refolded": "refold",
	"pin/placed": "pin",
};

function wordsOf(cause: string, behind: DecisionEvent | undefined): string {
	switch (behind?.type) {
		case "commit/applied":
			return `commit ${behind.data.id} (${behind.data.trigger}) folded up to cut ${behind.data.cut}`;
		case "commit/undone":
			return `${behind.data.decisions.join(", ")} ${behind.data.decisions.length === 1 ? "was" : "were"} taken back`;
		case "fold/expanded":
			return `fold ${behind.data.fold} was opened`;
		case "fold/refolded":
			return `fold ${behind.data.fold} was closed`;
		case "pin/placed":
			return `${behind.data.entries.join(", ")} ${behind.data.entries.length === 1 ? "was" : "were"} pinned`;
		default:
			return WORDS[cause] ?? "the window changed, and the log does not say why";
	}
}

const WORDS: { readonly [cause: string]: string } = {
	commit: "a decision on this path folded more",
	undo: "a decision on this path took others back",
	leaf: "the session went on from another entry",
	compaction: "the host compacted",
	contextEdit: "the host edited an entry",
	answer: "a result came that had been given up",
};

/** Adds the entries on the path to a leaf, up to the first that is there. */
function noteSent({ states: { tree } }: History, leaf: string | null, sent: Set<string>): void {
	for (let node = nodeOf(tree, leaf); node && !sent.has(node.id); node = nodeOf(tree, node.parent))
		sent.add(node.id);
}

/** Index of the item in which so many tokens of a window end. */
function itemAt(history: History, request: PastRequest, tokens: number): number {
	let upTo = tokensBefore(history);
	for (const [index, item] of itemsOf(history, request).entries()) {
		upTo += tokensThen(request.sizes, weightOf(item));
		if (upTo > tokens) return index;
	}
	return request.prepared.items;
}

function promptOf({ fresh, cached, written }: Paid): number {
	return fresh + cached + written;
}

function minutes(ms: number): string {
	return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${whole(ms / 60_000)} min`;
}
