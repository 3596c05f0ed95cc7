import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	type AssistantMessage,
	fauxAssistantMessage,
	fauxToolCall,
	type Message,
} from "@earendil-works/pi-ai";
import { type ExtensionFactory, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { WindowManifest } from "../../events/compaction.ts";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import { kinds, lastCompaction, OPTIONS, told, worked } from "./checkpointed.ts";
import { expectAll } from "./invariants.ts";
import { type Host, Sandbox, type Sent } from "./sandbox.ts";

const PIXEL =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Messages no host of today would leave: orphans, a late result, one told twice, calls that nobody answered. */
function strange(): Message[] {
	const long = "a long line of words. ".repeat(60);
	const user = (text: string): Message => ({ role: "user", content: text, timestamp: 1 });
	const result = (toolCallId: string, isImage = false): Message => ({
		role: "toolResult",
		toolCallId,
		toolName: "fetch",
		content: isImage
			? [{ type: "image", data: PIXEL, mimeType: "image/png" }]
			: [{ type: "text", text: `result of ${toolCallId}: ${long}` }],
		isError: false,
		timestamp: 1,
	});
	const calls = (stopReason: AssistantMessage["stopReason"], ...ids: string[]): Message =>
		fauxAssistantMessage(
			ids.map((id) => fauxToolCall("fetch", { page: id, chars: 30 }, { id })),
			{ stopReason },
		);
	const says = (text: string): Message => fauxAssistantMessage(`${text} ${long}`);
	return [
		result("nobody"),
		user("begin"),
		calls("toolUse", "a", "b", "c"),
		result("b", true),
		result("c"),
		user(`and now? ${long}`),
		result("a"),
		says("so it is"),
		calls("aborted", "d", "e"),
		result("d"),
		user("again"),
		calls("toolUse", "f"),
		result("f"),
		result("f"),
		result("stranger"),
		calls("toolUse", "g"),
		user("nobody answered that"),
		says("no"),
		calls("toolUse", "h", "i"),
		result("i"),
		result("h"),
		says("done"),
		user("the last"),
		says("the end"),
	];
}

/** A host on a session that holds strange messages. */
function onStrange(sandbox: Sandbox, before: readonly ExtensionFactory[] = []): Promise<Host> {
	const session = SessionManager.create(sandbox.dir, sandbox.sessions);
	for (const message of strange())
		session.appendMessage(message as Parameters<typeof session.appendMessage>[0]);
	return sandbox.open(session.getSessionFile() ?? "", { ...OPTIONS, before });
}

/** Results that stand behind no call of theirs, and calls that no result follows. */
function unpaired(sent: Sent): { readonly results: string[]; readonly calls: string[] } {
	const open = new Set<string>();
	const answered = new Set<string>();
	const results: string[] = [];
	for (const message of sent.map((json) => JSON.parse(json))) {
		if (message.role === "toolResult") {
			if (!open.has(message.toolCallId)) results.push(message.toolCallId);
			answered.add(message.toolCallId);
		}
		if (message.role !== "assistant") continue;
		for (const block of message.content) if (block.type === "toolCall") open.add(block.id);
	}
	return { results, calls: [...open].filter((id) => !answered.has(id)) };
}

test("wherever the host would cut a session with orphans and calls left open, a checkpoint parts no pair", async () => {
	await using sandbox = new Sandbox();
	let proposed = "";
	const clumsy: ExtensionFactory = (pi) => {
		pi.on("session_before_compact", ({ preparation }) => {
			preparation.firstKeptEntryId = proposed;
		});
	};
	const host = await onStrange(sandbox, [clumsy]);
	const before = unpaired(await host.ask("where were we?"));
	const leaf = host.session.sessionManager.getLeafId() ?? "";
	let ours = 0;
	for (const id of host.path("message")) {
		proposed = id;
		host.script([() => fauxAssistantMessage("a summary"), () => fauxAssistantMessage("of the turn")]);
		const compacted = await host.session.compact().catch(() => undefined);
		if (compacted && lastCompaction(host).details?.compactor === "pi-palimpsest") {
			ours++;
			const after = unpaired(await host.ask(`what now, behind ${id}?`));
			for (const result of after.results) expect(before.results).toContain(result);
			for (const call of after.calls) expect(before.calls).toContain(call);
		}
		await host.session.navigateTree(leaf);
	}
	expect(ours).toBeGreaterThan(12);
	await host.quit();
	expect(host.errors).toEqual([]);
	const store = join(sandbox.home, "sessions", host.session.sessionId);
	expect((await verifyDirectory(store)).damage).toEqual([]);
	const events = kinds(await told(sandbox, host));
	expect(events.filter((kind) => kind === "intercepted")).toHaveLength(ours);
	expect(events.filter((kind) => kind === "checkpointed")).toHaveLength(ours);
});

test("a compaction of an extension loaded before ours is replaced by the checkpoint", async () => {
	await using sandbox = new Sandbox();
	const summariser: ExtensionFactory = (pi) => {
		pi.on("session_before_compact", ({ preparation: { firstKeptEntryId, tokensBefore } }) => ({
			compaction: { summary: "the neighbour's words", firstKeptEntryId, tokensBefore },
		}));
	};
	const host = await worked(await sandbox.create({ ...OPTIONS, before: [summariser] }), "alpha", "beta");
	const { summary } = await host.session.compact();
	expect(summary).toMatch(/^\[Checkpoint win_/);
	await host.ask("what now?");
	await expectAll(sandbox, host);
	expect(kinds(await told(sandbox, host))).toEqual(["intercepted", "checkpointed"]);
});

const CHILD = fileURLToPath(new URL("killed-compaction.ts", import.meta.url));

test.each([
	["before the host had said that it was done", "session_compact", "before", ["intercepted", "checkpointed"]],
	["before the host had taken it", "session_before_compact", "after", ["intercepted", "failed"]],
] as const)(
	"a process killed in a compaction %s is made up for at the next start",
	async (_when, hook, side, wanted) => {
		await using sandbox = new Sandbox();
		const first = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
		await first.quit();
		const child = spawn(process.execPath, [CHILD, sandbox.dir, first.file, hook, side], { stdio: "ignore" });
		expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
		const host = await sandbox.open(first.file, OPTIONS);
		expect(host.path("compaction")).toHaveLength(hook === "session_compact" ? 1 : 0);
		await host.ask("where were we?");
		await host.work("gamma");
		await host.session.compact();
		await host.ask("and now?");
		await expectAll(sandbox, first, host);
		expect(host.said.filter((words) => words.includes("checkpoint win_"))).toHaveLength(1);
		const events = await told(sandbox, host);
		expect(kinds(events)).toEqual([...wanted, "intercepted", "checkpointed"]);
		expect(events[1]?.data.intercepted).toBe(events[0]?.position);
		if (hook !== "session_compact") return;
		const [made, next] = [events[1], events[3]].map((event) => event?.data.manifest as WindowManifest);
		expect(next?.parent).toBe(made?.id);
	},
);
