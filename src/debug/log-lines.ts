import type { DomainEvent } from "../../events/catalogue.ts";
import type { Quote } from "../../events/commit.ts";
import type { WindowManifest } from "../../events/compaction.ts";
import type { StoreEvent } from "../../events/store.ts";
import type { Settings } from "../../projections/rules.ts";
import { memoryLine } from "./memory-lines.ts";
import { count, decimal, dollars, percent, whole } from "./numbers.ts";

type Applied = Extract<DomainEvent, { type: "commit/applied" }>;

/** Digits behind the point of amounts below ten cents: what a request on a cheap model costs can be told apart. */
const LOG_DIGITS = 4;

/** One event in one line: what happened, with the numbers that decided it. */
export function logLine(event: DomainEvent | StoreEvent): string {
	switch (event.type) {
		case "session/opened": {
			const { session, format, root, cwd } = event.data;
			return `${session}, ${format}, root ${root ?? "none yet"}${cwd === undefined ? "" : `, in ${cwd}`}`;
		}
		case "session/forked":
			return `from ${event.data.from}, ${count(event.data.decisions, "decision")} came along`;
		case "session/leafMoved":
			return `to ${event.data.leaf ?? "the root"}`;
		case "session/settingsChanged": {
			const { policy, minTarget, maxTarget, floorTokens, inputBudget, briefs, ...rest } = event.data;
			const times = rest.floorFactor === undefined ? "" : `×${rest.floorFactor}`;
			const floor = floorTokens === undefined ? `${percent(minTarget)}${times}` : whole(floorTokens);
			const budget = inputBudget === undefined ? "" : ` budget=${whole(inputBudget)}`;
			return `policy=${policy} floor=${floor} ceiling=${percent(maxTarget)}${budget} cut=${whole(rest.minFoldChars)} chars group=${rest.consolidateAfter} clip=${percent(rest.toolFoldThreshold)} briefs=${briefs}${settingsRest(rest)}`;
		}
		case "entry/recorded": {
			const { id, kind, role, parent, chars, images, opens, answers, stop, decision } = event.data;
			const parts = [`${id} ${role ?? kind}, ${whole(chars)} chars`];
			if (images > 0) parts.push(count(images, "image"));
			if (opens) parts.push(`calls ${opens.join(" ")}`);
			if (answers !== undefined) parts.push(`answers ${answers}`);
			if (stop === "aborted" || stop === "error") parts.push(stop);
			if (decision !== undefined) parts.push(`node of event ${decision}`);
			return `${parts.join(", ")}, after ${parent ?? "nothing"}`;
		}
		case "output/kept": {
			const { entry, source, bytes, pieces } = event.data;
			return `all ${whole(bytes)} bytes of ${source} behind ${entry}, in ${count(pieces.length, "piece")}`;
		}
		case "output/refused": {
			const { entry, source, bytes, why, cap } = event.data;
			const size = bytes === undefined ? "the output" : `${whole(bytes)} bytes`;
			const limit = cap === undefined ? "" : ` of ${whole(cap)} bytes`;
			return `${size} of ${source} behind ${entry} not kept: ${why}${limit}`;
		}
		case "valuation/changed": {
			const { model, unit, input, read, write, output, lifetimeMs, window, cache, source } = event.data;
			const prices = [input, read, write, output].map((price) =>
				decimal(unit === "usd" ? price : price / 1e6),
			);
			const per = unit === "usd" ? "$ per M tokens" : "input tokens";
			return `${model}: in/read/write/out ${prices.join("/")} ${per}, ${cache} cache ${decimal(lifetimeMs / 60_000)} min, window ${whole(window)} (${source})`;
		}
		case "request/prepared": {
			const { request, items, tokens, foldable, cold, change, commit, window } = event.data;
			const parts = [`#${request} ${count(items, "item")}, ${whole(tokens)} tokens`];
			if (foldable > 0) parts.push(`${whole(foldable)} foldable`);
			if (cold) parts.push("cold");
			if (change) parts.push(`changed from item ${change.item} (${change.cause})`);
			if (commit !== undefined) parts.push(`under ${commit}`);
			return `${parts.join(", ")}, window ${short(window)}`;
		}
		case "request/measured": {
			const { request, input, cacheRead, cacheWrite, output, usd } = event.data;
			const paid = usd === undefined ? "" : `, ${dollars(usd, LOG_DIGITS)}`;
			return `#${request} in ${whole(input)}, read ${whole(cacheRead)}, written ${whole(cacheWrite)}, out ${whole(output)}${paid}`;
		}
		case "mark/set": {
			const { id, from, to, chars, cut } = event.data;
			return `${id}: cut ${cut} closed, ${from} to ${to}, ${whole(chars)} chars`;
		}
		case "brief/written": {
			const { fold, level, chars, renderer } = event.data;
			return `${fold}: ${level === 0 ? "cut" : `group of level ${level}`}, ${whole(chars)} chars, by ${renderer}`;
		}
		case "brief/rewritten": {
			const { edit, texts, renderer } = event.data;
			const gone = texts.filter((text) => text.gone).length;
			const rest = gone === 0 ? "" : `, ${gone} with nothing left to tell of`;
			return `${edit}: ${count(texts.length, "text")} written anew${rest}, by ${renderer}`;
		}
		case "commit/applied": {
			const { id, trigger, policy, cut, before, quote } = event.data;
			const since = before === null ? "" : `, after ${before}`;
			return `${id}: ${trigger} (${policy}), folds through cut ${cut}${since}; ${[quoteLine(quote), ...exceptionsOf(event.data)].join(", ")}`;
		}
		case "commit/observed": {
			const { trigger, policy, cut, quote } = event.data;
			return `${trigger} (${policy}) would fold through cut ${cut}; ${quoteLine(quote)}`;
		}
		case "commit/undone": {
			const { id, decisions, quote, parent } = event.data;
			return `${id}: takes back ${decisions.join(" ")} at ${parent ?? "the root"}; ${changeLine(quote)}`;
		}
		case "fold/expanded":
			return `${event.data.id}: ${event.data.fold} opened; ${changeLine(event.data.quote)}`;
		case "fold/refolded":
			return `${event.data.id}: ${event.data.folds.join(" ")} closed; ${changeLine(event.data.quote)}`;
		case "fold/peeked": {
			const { id, offset, bytes, ephemeral, call } = event.data;
			return `${id} from byte ${whole(offset)}, ${whole(bytes)} bytes${ephemeral ? " for the moment" : ""}, by ${call}`;
		}
		case "fold/released":
			return `${event.data.entry} by ${event.data.commit}`;
		case "pin/placed":
			return `${event.data.id}: ${event.data.entries.join(" ")}; ${changeLine(event.data.quote)}`;
		case "pin/lifted":
			return `${event.data.id}: ${event.data.entries.join(" ")}`;
		case "mark/withdrawn":
			return `${event.data.id}: ${event.data.cuts.join(" ")} raw after the next commit`;
		case "mark/recut": {
			const { id, replaces, cuts } = event.data;
			return `${id}: ${replaces.join(" ")} drawn anew as ${cuts.map((cut) => cut.id).join(" ")}`;
		}
		case "brief/supplied":
			return `${event.data.id}: ${event.data.fold} tells what was said, ${count(event.data.texts.length, "text")} written`;
		case "shown/appended": {
			const { what, decision, chars, memory } = event.data;
			const of = memory ? `, ${count(memory.records.length, "record")}` : ` of ${decision ?? "no decision"}`;
			return `${what}${of}, ${whole(chars)} chars`;
		}
		case "memory/recorded":
		case "memory/proposed":
		case "memory/derived":
		case "memory/confirmed":
		case "memory/superseded":
		case "memory/pinned":
		case "memory/unpinned":
		case "memory/resolved":
		case "memory/restored":
		case "memory/trusted":
		case "memory/imported":
		case "memory/moved":
		case "payload/shredded":
			return memoryLine(event);
		case "compaction/intercepted":
			return `${event.data.reason}, at ${event.data.parent ?? "the root"}: ${manifestLine(event.data.manifest)}`;
		case "compaction/checkpointed": {
			const { entry, reason, manifest, chars } = event.data;
			return `${entry}, ${reason}: ${manifestLine(manifest)}, ${whole(chars)} chars`;
		}
		case "compaction/summarised": {
			const { entry, by, boundary, chars } = event.data;
			const writer = by === "host" ? "the host's summariser" : "another extension";
			return `${entry}, by ${writer}, keeps from ${boundary ?? "nowhere"}, ${whole(chars)} chars`;
		}
		case "compaction/failed": {
			const { reason, aborted, why, intercepted } = event.data;
			const of = intercepted === undefined ? "" : `, event ${intercepted} came to nothing`;
			return `${reason ?? "reason unknown"}${aborted ? ", stopped" : ""}${of}${why === undefined ? "" : ` (${why})`}`;
		}
		case "reasoning/changed":
			return `${event.data.model}: thinking is ${event.data.mode === "strip" ? "stripped" : "kept"} (${event.data.why})`;
		case "engine/suspended":
			return `${event.data.mode}: ${event.data.why}`;
		case "engine/resumed":
			return "folding goes on";
		case "fold/made":
			return `${event.data.fold} by ${event.data.commit}, text ${short(event.data.text)}`;
		case "fold/grouped":
			return `${event.data.fold} (level ${event.data.level}) by ${event.data.commit}, text ${short(event.data.text)}`;
		case "fold/clipped":
			return `${event.data.entry} by ${event.data.commit}, ${whole(event.data.chars)} chars left in view`;
		case "store/repaired": {
			const { lostFrom, lostTo, reason, blobsLost, contents = [], keptAs } = event.data;
			const lost = lostTo === undefined ? "no event is known to be lost" : eventSpan(lostFrom, lostTo);
			const blobs = Math.max(blobsLost, contents.length);
			const content = blobs === 0 ? "" : `, ${count(blobs, "content")} lost`;
			return `${lost}${content}; the damaged database is kept as ${keptAs} (${reason})`;
		}
		default:
			return event satisfies never;
	}
}

/** Of the settings, what is rarely set. */
function settingsRest({ keepRaw = [], observe, postFoldNotice }: Partial<Settings>): string {
	const parts = [
		...(keepRaw.length > 0 ? [`raw=${keepRaw.join(",")}`] : []),
		...(observe ? ["only watched"] : []),
		...(postFoldNotice ? ["asks for briefs"] : []),
	];
	return parts.map((part) => ` ${part}`).join("");
}

/** What a commit does beside folding all up to a cut. */
function exceptionsOf({ held, expanded, dropped = [], emergency, reasoning }: Applied["data"]): string[] {
	return [
		...(held.length > 0 ? [`${held.length} held back`] : []),
		...(expanded.length > 0 ? [`${expanded.length} left open`] : []),
		...(dropped.length > 0 ? [`${dropped.length} withdrawn and folded for want of room`] : []),
		...(emergency ? ["more clipped than usual"] : []),
		...(reasoning === "strip" ? ["thinking stripped"] : []),
	];
}

/** What a commit was quoted: what it frees and costs, what it saves, and what waiting for it has cost. */
function quoteLine({ unit, before, after, freed, rewritten, cost, saves, held, waited }: Quote): string {
	const price = (value: number) =>
		unit === "usd" ? dollars(value, LOG_DIGITS) : `${whole(value)} tokens' worth`;
	return [
		`${whole(before)} → ${whole(after)} tokens, frees ${whole(freed)}`,
		`rewrites ${whole(rewritten)} for ${price(cost)}`,
		`saves ${price(saves)} a request`,
		`waiting has cost ${price(held)} over ${count(waited, "request")}`,
	].join(", ");
}

/** What a change of the window was quoted. */
function changeLine({ unit, before, after, rewritten, cost }: Quote): string {
	const price = unit === "usd" ? dollars(cost, LOG_DIGITS) : `${whole(cost)} tokens' worth`;
	return `${whole(before)} → ${whole(after)} tokens, rewrites ${whole(rewritten)} for ${price}`;
}

/** What a checkpoint made of a window. */
function manifestLine({ id, parent, entries, boundary, folds }: WindowManifest): string {
	const after = parent === null ? "" : `, after ${parent}`;
	return `${id}${after}: ${count(entries, "entry")} out of the window, keeps from ${boundary}, ${count(folds, "fold")} listed`;
}

function eventSpan(from: number, to: number): string {
	return from === to ? `event ${from} is lost` : `events ${from} to ${to} are lost`;
}

function short(digest: string): string {
	return digest.slice(0, 12);
}
