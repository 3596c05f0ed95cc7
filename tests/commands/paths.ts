import { buildSessionProjection, type SessionEntry } from "@earendil-works/pi-coding-agent";
import { type Boundary, safeBoundary } from "../../src/commands/checkpoint-boundary.ts";

/**
 * What stands on a path of the host's: `user`, `note` (a message of an extension's), `model` and `thinking` (no message),
 * `calls a b` and `aborted a` (a reply that makes calls), `result a`, `says`, `omit N` and `edit N` (of the entry of that
 * number), `compacts N` (keeping from there), `prompt` (a system message).
 */
export type Step = string;

/** A path of the host's, one entry a step, named `e0`, `e1`, …. */
export function pathOf(steps: readonly Step[]): SessionEntry[] {
	return steps.map((step, at) => {
		const place = {
			id: `e${at}`,
			parentId: at === 0 ? null : `e${at - 1}`,
			timestamp: new Date(1_700_000_000_000 + at * 1_000).toISOString(),
		};
		return { ...place, ...contentOf(step) } as unknown as SessionEntry;
	});
}

function contentOf(step: Step): object {
	const [what = "", ...names] = step.split(" ");
	const text = (words: string) => [{ type: "text", text: words }];
	const calls = names.map((id) => ({ type: "toolCall", id, name: "fetch", arguments: {} }));
	const reply = (stopReason: string) => ({
		type: "message",
		message: { role: "assistant", content: [...text("well"), ...calls], stopReason, timestamp: 1 },
	});
	const [name = "", target = `e${name}`] = [names[0], names[0] && `e${names[0]}`];
	switch (what) {
		case "user":
			return { type: "message", message: { role: "user", content: text("do it"), timestamp: 1 } };
		case "says":
			return reply("stop");
		case "calls":
			return reply("toolUse");
		case "aborted":
			return reply("aborted");
		case "result":
			return {
				type: "message",
				message: {
					role: "toolResult",
					toolCallId: name,
					toolName: "fetch",
					content: text("page"),
					timestamp: 1,
				},
			};
		case "prompt":
			return { type: "message", message: { role: "system", content: "rules", timestamp: 1 } };
		case "note":
			return { type: "custom_message", customType: "neighbour", content: "by the way", display: true };
		case "model":
			return { type: "model_change", provider: "faux", modelId: "faux-1" };
		case "thinking":
			return { type: "thinking_level_change", thinkingLevel: "off" };
		case "omit":
			return { type: "context_edit", targetId: target, replacement: null };
		case "edit":
			return { type: "context_edit", targetId: target, replacement: { content: text("less") } };
		case "compacts":
			return { type: "compaction", summary: "{}", firstKeptEntryId: target, tokensBefore: 1 };
		default:
			throw new RangeError(`no step ${step}`);
	}
}

/** The host's own projection of a path. */
export function shownOf(path: readonly SessionEntry[]) {
	return buildSessionProjection([...path]).entries;
}

/** A compaction at the end of a path. */
export function compacted(path: readonly SessionEntry[], kept: string): SessionEntry {
	const place = { id: "look", parentId: path.at(-1)?.id ?? null, timestamp: path.at(-1)?.timestamp ?? "" };
	return { type: "compaction", ...place, summary: "{}", firstKeptEntryId: kept, tokensBefore: 0 };
}

/** The boundary of a path where the host would keep from an entry on. */
export function boundaryOf(
	path: readonly SessionEntry[],
	proposed: string,
): Boundary<SessionEntry> | undefined {
	const compaction = (kept: string) => compacted(path, kept);
	return safeBoundary({ branch: path, proposed, project: shownOf, compaction });
}
