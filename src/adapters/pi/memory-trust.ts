import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { Suspect } from "../../../projections/memory/record.ts";
import { decideTrust } from "../../commands/memory/trust.ts";
import { count } from "../../debug/numbers.ts";
import { shownLine, shownText } from "../../debug/screen-text.ts";
import type { MemoryLog } from "../../engine/memory/memory-log.ts";
import { isAgreed } from "./ask-first.ts";
import type { LiveMemory } from "./live-memory.ts";
import { inset } from "./memory-list-words.ts";
import { agoWords } from "./memory-numbers.ts";
import { memoryRefusal } from "./memory-refusals.ts";
import { written } from "./memory-write.ts";
import { say } from "./say.ts";

const BY = { actor: "user", cause: "/memories trust" } as const;

/** Suspects that are listed at once, unless all are meant, and lines of them beside the question. */
const MOST = 30;
const MOST_ASKED = 10;

/** Characters of a text beside the question. */
const LINE_CHARS = 48;

interface Listed {
	readonly log: MemoryLog;
	readonly suspect: Suspect;
}

/**
 * Lists what is said to be the user's and is not proved to be, and has him vouch for it: asked where he can be, else only
 * what he names, or `all`. What is forged is shown and never vouched for, and what was not listed neither.
 */
export async function reviewSuspects(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	{ ids, isAll }: { readonly ids: readonly string[]; readonly isAll: boolean },
): Promise<void> {
	const logs: readonly MemoryLog[] = [memory.workspace, memory.session];
	const all = logs.flatMap((log) => log.memory.suspects.map((suspect): Listed => ({ log, suspect })));
	const meant = all.filter(({ suspect }) => ids.length === 0 || ids.includes(suspect.id));
	const forged = meant.filter(({ suspect }) => suspect.proof === "forged");
	const unproved = meant.filter(({ suspect }) => suspect.proof === "unverified");
	// the signature is for what was seen
	const shown = isAll ? unproved : unproved.slice(0, MOST);
	const text = [
		headline(meant),
		...(forged.length > 0
			? ["", "forged, not what was written: without effect for good", ...rows(forged.slice(0, MOST), memory)]
			: []),
		...(shown.length > 0
			? [
					"",
					"unverified, made elsewhere or without our key: without effect until you vouch for it",
					...rows(shown, memory),
				]
			: []),
		...(shown.length < unproved.length
			? [
					"",
					`${unproved.length - shown.length} more come once these are seen to; /memories trust all shows them at once`,
				]
			: []),
	].join("\n");
	say(ctx, text, "info");
	if (shown.length === 0) return;
	const isNamed = isAll || ids.length > 0;
	if (!ctx.hasUI && !isNamed)
		return say(
			ctx,
			"/memories trust all vouches for what is listed as unverified, /memories trust ID for one",
			"info",
		);
	if (ctx.hasUI && !(await isAgreed(ctx, "Palimpsest: not proved to be yours", questionOf(shown, memory))))
		return say(ctx, "nothing was vouched for", "info");
	try {
		for (const log of logs) await vouch(memory, log, shown);
		say(ctx, `vouched for ${count(shown.length, "event")}: what is in them is yours now`, "info");
	} catch (error) {
		say(ctx, memoryRefusal(error), "warning");
	}
}

async function vouch(memory: LiveMemory, log: MemoryLog, shown: readonly Listed[]): Promise<void> {
	const suspects = shown.filter((one) => one.log === log).map(({ suspect }) => suspect);
	if (suspects.length === 0) return;
	const positions = suspects.map(({ position }) => position);
	await written(memory, log, BY, (view) => decideTrust(view, { positions, listed: suspects }));
}

/** The texts stand whole above it. */
function questionOf(shown: readonly Listed[], memory: LiveMemory): string {
	const { text } = memory.view();
	const lines = shown.slice(0, MOST_ASKED).map(({ log, suspect }) => {
		const { id, type } = suspect;
		const beginning = text(bodyOf(log, suspect) ?? "")?.slice(0, LINE_CHARS) ?? "";
		return `  ${id}  ${`${DOES[type] ?? type}${type === "memory/superseded" ? " by" : ""}: ${shownLine(beginning)}`.replace(/: $/, "")}`;
	});
	if (shown.length > MOST_ASKED) lines.push(`  and ${shown.length - MOST_ASKED} more of the list above`);
	const what = shown.length === 1 ? "What is in this event" : `What is in these ${shown.length} events`;
	return [...lines, "", `${what} counts as yours then, and is told to the model. Vouch for it?`].join("\n");
}

/** What an event does, as said of one who did it. */
const DOES: { readonly [type in Suspect["type"]]?: string } = {
	"memory/recorded": "recorded",
	"memory/confirmed": "confirmed",
	"memory/superseded": "replaced",
	"memory/pinned": "pinned",
	"memory/unpinned": "unpinned",
	"memory/resolved": "forgot",
	"memory/restored": "brought back",
};

/** The text an event is about. */
function bodyOf({ memory }: MemoryLog, { id, body }: Suspect): string | undefined {
	return body ?? memory.records.get(id)?.body;
}

function headline(meant: readonly Listed[]): string {
	if (meant.length === 0) return "everything that is said to be yours is proved to be";
	return `${count(meant.length, "event")} said to be yours ${meant.length === 1 ? "is" : "are"} not proved to be`;
}

function rows(listed: readonly Listed[], memory: LiveMemory): string[] {
	const { text } = memory.view();
	const now = Date.now();
	return listed.flatMap(({ log, suspect }) => {
		const { id, type, at } = suspect;
		const body = bodyOf(log, suspect);
		const said = body === undefined ? undefined : (text(body) ?? "(its text is gone)");
		return [
			...inset(`${id}  ${DOES[type] ?? type}, ${agoWords(at, now)}`, 2, 4),
			...(said === undefined ? [] : inset(shownText(said), 4)),
		];
	});
}
