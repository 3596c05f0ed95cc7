import { rmSync } from "node:fs";
import { join } from "node:path";
import { type AssistantMessage, fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { camera } from "./camera.ts";
import { expectHistory } from "./past-windows.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

const COMPACTION = { reserveTokens: 2_000, keepRecentTokens: 500 };

/** Nothing is forced before the provider refuses. */
const SETTINGS = { ...QUICK_SETTINGS, policy: "band" as const, inputBudget: 1_000_000, toolFoldThreshold: 0 };

const OPTIONS = { settings: SETTINGS, models: BILLED, compaction: COMPACTION };

const refused = (errorMessage: string) => () =>
	fauxAssistantMessage("", { stopReason: "error", errorMessage });
const tooLong = refused("prompt is too long: 213462 tokens > 200000 maximum");
const answered =
	(text = "answered") =>
	() =>
		fauxAssistantMessage(text);
const fetches = (page: string, chars: number) => () =>
	fauxAssistantMessage(fauxToolCall("fetch", { page, chars }), { stopReason: "toolUse" });

async function worked(host: Host, topics = 4): Promise<Host> {
	for (let n = 0; n < topics; n++) await host.work(`topic-${n}`, 3, 3_000);
	return host;
}

const sizeOf = (window: readonly string[] | undefined) => (window ?? []).join("").length;
const last = (host: Host) => host.session.messages.at(-1) as AssistantMessage;

/** Requests of one prompt. */
async function requestsOf(host: Host, prompt: string, script: Parameters<Host["play"]>[1]) {
	const from = host.requests.length;
	await host.play(prompt, script);
	return host.requests.slice(from);
}

/** A fork of the file, whose store has to be made from the nodes, sends the same window. */
async function expectRebuilt(sandbox: Sandbox, host: Host): Promise<void> {
	const before = await host.ask("before the fork?");
	const fork = SessionManager.forkFrom(host.file, sandbox.dir, sandbox.sessions);
	const copy = await sandbox.host(fork, OPTIONS);
	expect(shared(before, await copy.ask("and in the fork?"))).toBe(before.length);
	expect(copy.said).toEqual([]);
}

test("a request refused as too long is sent again with a tighter window, and no compaction is written", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS));
	const [first, second] = await requestsOf(host, "go on", [tooLong, answered()]);
	expect(sizeOf(second)).toBeLessThan(sizeOf(first) * 0.75);
	expect(second?.some(isFold)).toBe(true);
	expect(last(host)).toMatchObject({ stopReason: "stop", content: [{ text: "answered" }] });
	expect(host.path("compaction")).toEqual([]);
	expect(host.said).toEqual([
		expect.stringMatching(/refused the request as too large, and it is sent again: folded/),
	]);
	const after = await host.ask("and then?");
	expect(shared(second ?? [], after)).toBe(second?.length);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const triggers = events.flatMap(({ type, data }) => (type === "commit/applied" ? [data.trigger] : []));
	expect(triggers).toEqual(["overflow"]);
});

test("refused again, it is made smaller again, by clipping what was just returned too; a fork and a lost store have that same window", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS));
	const script = [fetches("one.ts", 45_000), tooLong, tooLong, answered()];
	const windows = await requestsOf(host, "go on", script);
	const sizes = windows.slice(1).map(sizeOf);
	for (const [n, size] of sizes.slice(1).entries()) expect(size).toBeLessThan(sizes[n] ?? 0);
	expect(windows.at(-1)?.join("")).toContain("more characters clipped by the runtime");
	expect(last(host).stopReason).toBe("stop");
	expect(host.path("compaction")).toEqual([]);
	expect(host.errors).toEqual([]);
	await expectRebuilt(sandbox, host);
	await expectHistory(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	expect(events.some(({ type, data }) => type === "commit/applied" && data.emergency === true)).toBe(true);
	rmSync(join(sandbox.home, "sessions"), { recursive: true });
	const again = await sandbox.open(host.file, OPTIONS);
	const before = host.requests.at(-1) ?? [];
	expect(shared(before, await again.ask("and without its store?"))).toBe(before.length);
	expect(again.said).toEqual([]);
});

test("a provider that refuses whatever it is sent ends the run after a few tries, and the session stays usable", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS));
	const windows = await requestsOf(
		host,
		"go on",
		Array.from({ length: 12 }, () => tooLong),
	);
	expect(windows.length).toBeLessThanOrEqual(6);
	expect(last(host).stopReason).toBe("error");
	expect(host.path("compaction")).toEqual([]);
	expect((await host.ask("and now?")).some(isFold)).toBe(true);
	expect(last(host).stopReason).toBe("stop");
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("where nothing can be freed the host compacts by a checkpoint, and that is said", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({
		...OPTIONS,
		compaction: { reserveTokens: 2_000, keepRecentTokens: 10 },
	});
	await host.ask("one", "a");
	const long = "all of this matters ".repeat(1_000);
	const windows = await requestsOf(host, long, [tooLong, answered("a summary"), answered("done")]);
	expect(windows.length).toBeGreaterThan(0);
	expect(host.said.at(-2)).toMatch(/too large, and no folding helps, so that the window is compacted/);
	expect(host.said.at(-1)).toMatch(/^Palimpsest: checkpoint win_/);
	expect(host.path("custom")).toEqual([]);
	expect(host.errors).toEqual([]);
	await host.ask("and now?");
	expect(last(host).stopReason).toBe("stop");
});

test("where folding is paused or off an overflow is the host's", async () => {
	for (const command of ["pause", "off"]) {
		await using sandbox = new Sandbox();
		const host = await worked(await sandbox.create(OPTIONS));
		await host.session.prompt(`/fold ${command}`);
		await host.play("go on", [tooLong, answered("a summary"), answered("a summary"), answered("done")]);
		expect(host.path("compaction")).toHaveLength(1);
		expect(last(host).stopReason).toBe("stop");
		expect(host.errors).toEqual([]);
	}
});

test("a reply cut short below the model's limit is asked for again with a tighter window", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS));
	const short = () => fauxAssistantMessage("half of", { stopReason: "length" });
	const [first, second] = await requestsOf(host, "go on", [short, answered()]);
	expect(sizeOf(second)).toBeLessThan(sizeOf(first) * 0.75);
	expect(last(host).stopReason).toBe("stop");
	expect(host.path("compaction")).toEqual([]);
	await host.ask("and then?");
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("where the host's compaction is off, a refused request is met all the same", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create({ settings: SETTINGS, models: BILLED }));
	const [first, second] = await requestsOf(host, "go on", [tooLong, answered()]);
	expect(sizeOf(second)).toBeLessThan(sizeOf(first) * 0.75);
	expect(last(host).stopReason).toBe("stop");
	expect(host.errors).toEqual([]);
	await host.ask("and then?");
	await expectHistory(sandbox, host);
});

test("a request refused for its bytes loses pictures, those of the newest results too, and again in a fork", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ ...OPTIONS, before: [camera(30_000)], tools: ["shoot"] });
	const shots = Array.from(
		{ length: 8 },
		(_, n) => () => fauxAssistantMessage(fauxToolCall("shoot", { n }), { stopReason: "toolUse" }),
	);
	const [first, second] = (
		await requestsOf(host, "look", [...shots, refused("Error 413: payload too large"), answered()])
	).slice(-2);
	expect(sizeOf(second)).toBeLessThan(sizeOf(first) * 0.65);
	expect(second?.join("")).toContain("[1 image clipped by the runtime");
	expect(last(host).stopReason).toBe("stop");
	expect(host.errors).toEqual([]);
	await expectRebuilt(sandbox, host);
	await expectHistory(sandbox, host);
});

test("thinking refused both kept and taken away is left as it is, and told", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS));
	const thinks = () =>
		fauxAssistantMessage([
			{ type: "thinking", thinking: "let me see" },
			{ type: "text", text: "so" },
		]);
	await host.play("think", [thinks]);
	await host.fold();
	const invalid = refused("messages.3.content.0: Invalid `signature` in `thinking` block");
	const missing = refused(
		"messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`",
	);
	await host.play("go on", [invalid, missing, invalid, missing]);
	expect(last(host).stopReason).toBe("error");
	expect(host.said.at(-1)).toMatch(/still refuses thinking, kept or taken away; that is left/);
	expect(host.errors).toEqual([]);
	await host.ask("and now?");
	expect(last(host).stopReason).toBe("stop");
	await expectHistory(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const modes = events.flatMap(({ type, data }) => (type === "reasoning/changed" ? [data.mode] : []));
	expect(modes).toEqual(["strip", "keep"]);
});

test("a refusal over thinking where nothing is folded is the host's business", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.play("go on", [
		refused("messages.1.content.0: Invalid `signature` in `thinking` block"),
		answered(),
	]);
	expect(last(host).stopReason).toBe("error");
	expect(host.said).toEqual([]);
});
