import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

test("/fold shortens the window from the next request on, and says so in one sentence", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	const raw = await host.ask("before?");
	expect(await host.fold()).toMatch(
		/^Palimpsest: folded about [\d,]+ tokens out of the window: .* next request on; .* shorter; so far .*$/,
	);
	const folded = await host.ask("after?");
	expect(folded.length).toBeLessThan(raw.length);
	expect(shared(raw, folded)).toBe(1);
	expect(isFold(folded[1] ?? "")).toBe(true);
	const first = host.session.sessionManager.getBranch().find(({ id }) => id === host.path("message")[1]);
	expect(JSON.parse(folded[1] ?? "").timestamp).toBe(Date.parse(first?.timestamp ?? ""));
	expect(host.said).toHaveLength(1);
	expect(host.errors).toEqual([]);
});

test("where nothing is foldable /fold says so and writes nothing", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	await host.ask("hello");
	expect(await host.fold()).toBe("Palimpsest: nothing is foldable yet");
	expect(host.path("custom")).toEqual([]);
});

test("a second /fold right behind the first writes nothing", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	expect(await host.fold()).toBe("Palimpsest: nothing is foldable yet");
	expect(host.path("custom")).toHaveLength(1);
});

test("between commits a window only grows", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const start = host.requests.length;
	await host.work("epsilon");
	await host.work("zeta", 2, 2_700);
	const windows = host.requests.slice(start);
	expect(windows.length).toBe(7);
	for (const [index, window] of windows.slice(1).entries()) {
		expect(shared(windows[index] ?? [], window)).toBe(windows[index]?.length);
	}
});

test("a session nobody spoke in leaves no store behind", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	await host.fold();
	await host.quit();
	expect(sandbox.stores()).toEqual([]);
});

test("every entry is recorded once, with the bytes of its line in the session file", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "\u2028 “quoted” \ud83e\udd16 \\u00e9"])
		await host.work(topic);
	host.session.sessionManager.appendLabelChange(host.path("message")[3] ?? "", "here");
	await host.fold();
	await host.ask("go on");
	const lines = host.lines();
	const id = host.session.sessionId;
	await host.quit();
	const { events, content } = await logOf(sandbox.home, id);
	const recorded = events.filter(({ type }) => type === "entry/recorded");
	expect(recorded.map(({ data }) => content.get(String(data.digest)))).toEqual(lines);
	expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["session/opened", "session/settingsChanged"]);
});

test("a decision's node names its event: position, hash, cut and rules", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const entry = host.session.sessionManager.getLeafEntry();
	const id = host.session.sessionId;
	await host.quit();
	const { events } = await logOf(sandbox.home, id);
	const applied = events.find(({ type }) => type === "commit/applied");
	const node = events.find(({ type, data }) => type === "entry/recorded" && data.decision !== undefined);
	expect(node?.data).toMatchObject({ id: entry?.id, decision: applied?.position });
	expect(entry).toMatchObject({
		type: "custom",
		customType: "palimpsest",
		data: {
			v: 1,
			decision: "commit",
			position: applied?.position,
			hash: applied?.hash,
			cut: applied?.data.cut,
			rules: { renderer: "index@2", minFoldChars: 2_000, consolidateAfter: 3 },
		},
	});
});

test("/fold while the model works folds before the next request", async () => {
	await using sandbox = new Sandbox();
	let prompt: ((text: string) => Promise<void>) | undefined;
	const impatient = (pi: ExtensionAPI) => {
		pi.on("tool_execution_start", async ({ args }) => {
			if (args.page === "now") await prompt?.("/fold");
		});
	};
	const host = await sandbox.create({ before: [impatient] });
	prompt = (text) => host.session.prompt(text);
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	const start = host.requests.length;
	await host.play("fold while you work", [
		() => fauxAssistantMessage(fauxToolCall("fetch", { page: "now", chars: 300 }), { stopReason: "toolUse" }),
		() => fauxAssistantMessage("done"),
	]);
	expect(host.requests.slice(start).map((window) => isFold(window[1] ?? ""))).toEqual([false, true]);
	expect(host.said).toEqual([
		"Palimpsest: that is seen to before the next request",
		expect.stringMatching(/^Palimpsest: folded/),
	]);
	expect(host.errors).toEqual([]);
});

test("a large result in the older half of the tail is clipped, and keeps its place and its call", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({
		settings: { ...QUICK_SETTINGS, floorTokens: 3_000 },
	});
	for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic);
	await host.work("delta", 3, 4_000);
	const raw = await host.ask("before?");
	await host.fold();
	const folded = await host.ask("after?");
	const clipped = folded.filter((message) => message.includes("more characters clipped by the runtime"));
	expect(clipped.length).toBeGreaterThan(0);
	for (const message of clipped) {
		const { toolCallId, content, ...rest } = JSON.parse(message);
		const original = raw.map((other) => JSON.parse(other)).find((other) => other.toolCallId === toolCallId);
		expect({ toolCallId, ...rest, content: original.content }).toEqual(original);
		expect(content).toHaveLength(1);
	}
});

test("a session without a file folds too, and leaves nothing on the disk", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.host(SessionManager.inMemory(sandbox.dir));
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	expect(isFold((await host.ask("after?"))[1] ?? "")).toBe(true);
	expect(sandbox.stores()).toEqual([]);
});
