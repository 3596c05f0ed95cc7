import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Texts that would do something if they were taken for anything but text. */
export const HOSTILE = [
	`<script>document.title = "owned"</script><img src=x onerror="fetch('/api/session')">`,
	`</script><!--</textarea><svg onload=alert(1)>"'><style>*{display:none}</style>`,
	"\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u001b[0m \u202eesrever\u202c \u0000\u0008",
	"half a pair: \ud800, the other half: \udc00, a line\u2028and a paragraph\u2029",
	`one line: ${"x".repeat(300_000)}`,
] as const;

/** Writes a session in which the user, the model and its tools say such things. Its entries are `e1`, `e2`, … */
export function writeHostileSession(directory: string): string {
	const path = join(directory, "hostile.jsonl");
	const timestamp = new Date(0).toISOString();
	const lines: object[] = [
		{ type: "session", version: 3, id: "hostile", timestamp, cwd: `/tmp/${HOSTILE[0]}` },
	];
	let entries = 0;
	const put = (message: object) => {
		const parentId = entries === 0 ? null : `e${entries}`;
		lines.push({ type: "message", id: `e${++entries}`, parentId, timestamp, message });
	};
	for (const [n, said] of HOSTILE.entries()) {
		const content = [{ type: "text", text: said }];
		const call = { type: "toolCall", id: `call-${n}`, name: "read", arguments: { path: said.slice(0, 200) } };
		put({ role: "user", content, timestamp: n });
		put({
			role: "assistant",
			content: [...content, call],
			provider: "anthropic",
			model: "claude-sonnet-4-5",
			api: "anthropic-messages",
			usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
			stopReason: "toolUse",
			timestamp: n,
		});
		put({ role: "toolResult", toolCallId: call.id, toolName: "read", content, isError: false, timestamp: n });
	}
	writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
	return path;
}
