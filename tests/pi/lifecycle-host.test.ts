import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test, vi } from "vitest";
import { furnished, goOn, messages, OPTIONS, TOOLS } from "./furnished.ts";
import { expectAll } from "./invariants.ts";
import { isOurs } from "./outside.ts";
import { BILLED, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

/** The host compacts to what follows an entry, in words of ours. */
function keeping(from: () => string) {
	let count = 0;
	return (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ preparation: { tokensBefore } }) => ({
			compaction: { summary: `what came before, ${++count}`, firstKeptEntryId: from(), tokensBefore },
		}));
	};
}

test("a compaction by hand that cuts through folds leaves those it cuts whole, and folding goes on", async () => {
	await using sandbox = new Sandbox();
	let keepFrom = "";
	const host = await furnished(sandbox, { ...OPTIONS, after: [keeping(() => keepFrom)] });
	for (const place of [0.2, 0.5, 0.9]) {
		const path = messages(host, "user", "assistant");
		keepFrom = path[Math.floor(path.length * place)] ?? "";
		await host.session.compact();
		const sent = await host.ask(`what is left from ${place} on?`);
		expect(sent.some((message) => message.includes("what came before"))).toBe(true);
		await goOn(host, `compacted-${place * 10}`);
	}
	expect(host.path("compaction")).toHaveLength(3);
	await expectAll(sandbox, host);
});

test("a compaction at the host's threshold that is let through keeps the window sound", async () => {
	await using sandbox = new Sandbox();
	let keepFrom = () => "";
	const compaction = { reserveTokens: 30_000, keepRecentTokens: 1_000 };
	const host = await furnished(sandbox, {
		...OPTIONS,
		models: BILLED,
		compaction,
		after: [keeping(() => keepFrom())],
	});
	keepFrom = () => messages(host, "assistant").at(-8) ?? "";
	for (const topic of ["one", "two", "three", "four"]) await host.work(topic, 4, 6_000);
	expect(host.path("compaction").length).toBeGreaterThan(0);
	await goOn(host);
	await expectAll(sandbox, host);
});

test("edits of raw and of folded messages are in the next request, and nothing else changes by them", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const { sessionManager } = host.session;
	const results = messages(host, "toolResult");
	const folded = results[2] ?? "";
	const raw = results.at(-1) ?? "";
	for (const [id, text] of [
		[raw, "a raw result, edited"],
		[folded, "a folded result, edited"],
	] as const) {
		sessionManager.appendContextEdit(id, { content: [{ type: "text", text }] });
		host.session.refreshContext();
		await host.ask(`${text}?`);
		await goOn(host, text.replaceAll(/\W/g, "-"));
	}
	sessionManager.appendContextEdit(messages(host, "user")[1] ?? "", null);
	host.session.refreshContext();
	await host.ask("omitted?");
	await goOn(host, "omitted");
	await expectAll(sandbox, host);
});

for (const [what, change] of [
	[
		"inserts messages",
		(list: readonly unknown[]) => [
			...list.slice(0, 7),
			{ role: "user", content: "by the way", timestamp: 1 },
			...list.slice(7),
		],
	],
	[
		"drops messages",
		(list: readonly unknown[]) => list.filter((_, index) => index % 11 !== 5 || index === list.length - 1),
	],
	[
		"rewrites messages",
		(list: readonly { role: string }[]) =>
			list.map((message, index) =>
				index % 7 === 3 && message.role === "user" ? { ...message, content: `rewritten ${index}` } : message,
			),
	],
] as const) {
	test(`another extension that ${what} before us leaves pairs whole and folds standing, and goes without a trace`, async () => {
		await using sandbox = new Sandbox();
		let meddles = false;
		const meddler = (pi: ExtensionAPI) => {
			pi.on("context", ({ messages: list }) =>
				meddles ? { messages: change(list as never) as typeof list } : undefined,
			);
		};
		const host = await furnished(sandbox, { ...OPTIONS, before: [meddler] });
		const before = await host.ask("plain?");
		meddles = true;
		for (const text of ["meddled?", "again?"]) {
			const sent = await host.ask(text);
			const ours = (window: readonly string[]) =>
				window.filter(isOurs).flatMap((message) => JSON.parse(message).content);
			expect(ours(sent)).toEqual(ours(before));
			expectAnswersBehindCalls(sent);
			expect(JSON.parse(sent.at(-1) ?? "").content).toEqual([{ type: "text", text }]);
		}
		meddles = false;
		const after = await host.ask("plain again?");
		expect(shared(before, after)).toBe(before.length);
		await goOn(host);
		expect(host.errors).toEqual([]);
	});
}

function expectAnswersBehindCalls(sent: readonly string[]): void {
	const called = new Set<string>();
	for (const { role, content, toolCallId } of sent.map((message) => JSON.parse(message))) {
		if (role === "toolResult") expect(called).toContain(toolCallId);
		if (role === "assistant") for (const { type, id } of content) if (type === "toolCall") called.add(id);
	}
}

test("a session met long after it began is caught up with in slices, and committed cold to the floor in one go", async () => {
	await using sandbox = new Sandbox();
	const session = SessionManager.create(sandbox.dir, sandbox.sessions);
	const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, totalFromProvider: false };
	const from = { api: "faux", provider: "faux", model: "faux-1", usage: { ...usage, cost } } as const;
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 86_400_000 });
	for (let n = 0; n < 1_000; n++) {
		const id = `call-${n}`;
		const at = Date.now() + n;
		session.appendMessage({ role: "user", content: `question ${n}`, timestamp: at });
		session.appendMessage({
			...from,
			role: "assistant",
			content: [{ type: "toolCall", id, name: "fetch", arguments: { page: `src/file-${n}.ts` } }],
			stopReason: "toolUse",
			timestamp: at,
		});
		const text = `page ${n} of src/file-${n}.ts\n`.repeat(10);
		const content = [{ type: "text" as const, text }];
		session.appendMessage({
			role: "toolResult",
			toolCallId: id,
			toolName: "fetch",
			content,
			isError: false,
			timestamp: at,
		});
	}
	vi.useRealTimers();
	const slices: number[] = [];
	let last = performance.now();
	const beats = setInterval(() => {
		slices.push(performance.now() - last);
		last = performance.now();
	}, 1);
	const settings = { ...QUICK_SETTINGS, policy: "calm" as const };
	const host = await sandbox.host(session, { tools: TOOLS, settings });
	await host.ask("where were we?");
	clearInterval(beats);
	expect(slices.length).toBeGreaterThan(20);
	const first = host.requests[0] ?? [];
	expect(first.some(isFold)).toBe(true);
	const raw = first.filter((message) => !isOurs(message) && !message.startsWith('{"role":"system"'));
	expect(raw.length).toBeLessThan(60);
	await goOn(host);
	await expectAll(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const triggers = events.flatMap(({ type, data }) => (type === "commit/applied" ? [data.trigger] : []));
	expect(triggers[0]).toBe("cold");
});
