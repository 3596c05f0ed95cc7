import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a recording made here is like. */
export interface RecordingShape {
	readonly id?: string;
	/** where the session ran */
	readonly cwd?: string;
	readonly requests?: number;
	/** characters of a usual tool result */
	readonly resultChars?: number;
	readonly model?: { readonly provider: string; readonly model: string; readonly api: string };
	/** a line put in front of the given entry, as it is */
	readonly brokenAt?: number;
}

/** A recording as it was written. */
export interface Recording {
	readonly path: string;
	readonly id: string;
	/** every entry's line, by its id */
	readonly lines: ReadonlyMap<string, string>;
}

const SONNET = { provider: "anthropic", model: "claude-sonnet-4-5", api: "anthropic-messages" };

/** Flags under which a recording of some sixty requests is folded, grouped and clipped. */
export const TIGHT = "--budget 40000 --floor 6000 --min-fold-chars 4000 --consolidate-after 3".split(" ");

/**
 * Writes a session that reads files, idles now and then, leaves a call without its result, and goes back to an earlier
 * entry once. The same shape gives the same bytes.
 */
export function writeRecording(directory: string, shape: RecordingShape = {}): Recording {
	const {
		id = "rec-1",
		cwd = "/home/dev/project",
		requests = 60,
		resultChars = 3000,
		model = SONNET,
		brokenAt,
	} = shape;
	const path = join(directory, `${id.replace(/[^\w-]/g, "_")}.jsonl`);
	const out = [JSON.stringify({ type: "session", version: 3, id, timestamp: stamp(0), cwd })];
	const lines = new Map<string, string>();
	let parent: string | null = null;
	let at = Date.UTC(2026, 0, 5);
	let entries = 0;
	let prompt = 1500;
	const put = (message: object): string => {
		if (++entries === brokenAt)
			out.push('{"type":"message","id":"half","parentId":null,"message":{"role":"us');
		const entryId = `e${entries}`;
		const entry = { type: "message", id: entryId, parentId: parent, timestamp: stamp(at), message };
		const line = JSON.stringify(entry);
		lines.set(entryId, line);
		out.push(line);
		parent = entryId;
		return entryId;
	};
	const text = (value: string) => [{ type: "text", text: value }];
	let earlier: string | null = null;
	for (let n = 1; n <= requests; n++) {
		at += n % 20 === 0 ? 40 * 60_000 : 15_000;
		if (n % 6 === 1)
			put({ role: "user", content: text(`Now look at part ${n}: what does it need? ✓`), timestamp: at });
		if (n === 10) earlier = parent;
		const usage = {
			input: 20,
			output: 60,
			cacheRead: prompt,
			cacheWrite: 900,
			totalTokens: prompt + 980,
			cost: { total: 0.01 },
		};
		const call = { type: "toolCall", id: `call-${n}`, name: "read", arguments: { path: `src/part-${n}.ts` } };
		put({
			role: "assistant",
			content: [...text(`Part ${n} reads \`helper${n}\`.`), call],
			...model,
			usage,
			stopReason: "toolUse",
			timestamp: at,
		});
		prompt += 900;
		if (n === Math.floor(requests / 2)) continue;
		const size = n % 9 === 0 ? resultChars * 3 : resultChars;
		put({
			role: "toolResult",
			toolCallId: call.id,
			toolName: "read",
			content: text(sourceText(n, size)),
			isError: false,
			timestamp: at + 500,
		});
		if (n === 12) parent = earlier;
	}
	writeFileSync(path, `${out.join("\n")}\n`);
	return { path, id, lines };
}

function sourceText(n: number, chars: number): string {
	let text = "";
	for (let line = 1; text.length < chars; line++)
		text += `export const value${n}x${line} = helper${n}(${line * n});\n`;
	return text.slice(0, chars);
}

function stamp(at: number): string {
	return new Date(at).toISOString();
}
