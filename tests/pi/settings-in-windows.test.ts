import { rmSync } from "node:fs";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import type { Settings } from "../../projections/rules.ts";
import { fold, foldsThat, furnish, goOn, messages, TOOLS } from "./furnished.ts";
import { expectAll } from "./invariants.ts";
import { isOurs } from "./outside.ts";
import { type Host, type HostOptions, QUICK_SETTINGS, Sandbox, type Sent } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { shared } from "./shared.ts";

const OFF = { ...QUICK_SETTINGS, policy: "off" as const };

/** A tool whose plans are long. */
function planner(pi: ExtensionAPI): void {
	pi.registerTool({
		name: "plan",
		label: "Plan",
		description: "Keeps a plan",
		parameters: Type.Object({ step: Type.String() }),
		execute: async (_id, { step }) => ({
			content: [{ type: "text", text: `plan: ${step}\n`.repeat(250) }],
			details: {},
		}),
	});
}

const KEPT: HostOptions = {
	tools: [...TOOLS, "plan"],
	before: [planner],
	settings: { ...OFF, keepRaw: ["plan"], toolFoldThreshold: 0.9 },
};

/** The model plans, with a fetch beside it in the same reply. */
async function plan(host: Host, step: string): Promise<void> {
	await host.play(`plan ${step}`, [
		() =>
			fauxAssistantMessage(
				[fauxToolCall("plan", { step }), fauxToolCall("fetch", { page: `beside-${step}`, chars: 1_500 })],
				{ stopReason: "toolUse" },
			),
		() => fauxAssistantMessage(`planned ${step}`),
	]);
}

/** Replies and results that belong to plans, as the host has them. */
function exchanges(host: Host): string[] {
	const calls = new Set<string>();
	const found: string[] = [];
	for (const entry of host.session.sessionManager.getBranch()) {
		if (entry.type !== "message") continue;
		const { message } = entry;
		if (message.role === "assistant") {
			const ids = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
			if (!ids.some(({ name }) => name === "plan")) continue;
			for (const { id } of ids) calls.add(id);
			found.push(JSON.stringify(message));
		}
		if (message.role === "toolResult" && calls.has(message.toolCallId)) found.push(JSON.stringify(message));
	}
	return found;
}

function expectKept(host: Host, sent: Sent): void {
	const kept = exchanges(host);
	expect(kept.length).toBeGreaterThan(2);
	for (const message of kept) expect(sent).toContain(message);
}

test("exchanges of a tool that is kept raw are never folded nor clipped, through commits, restarts and forks", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(KEPT);
	await plan(host, "first");
	await furnish(host);
	await plan(host, "second");
	for (const name of ["one", "two"]) expectKept(host, await goOn(host, name));
	const before = host.requests.at(-1) ?? [];
	expect(exchanges(host)).toHaveLength(6);
	await host.quit();

	const again = await sandbox.open(host.file, KEPT);
	const restarted = await again.ask("still there?");
	expect(shared(before, restarted)).toBe(before.length);
	await plan(again, "third");
	expectKept(again, await goOn(again, "three"));
	await again.runtime.fork(messages(again, "user").at(-1) ?? "");
	expectKept(again, await again.ask("another way?"));
	await plan(again, "fourth");
	expectKept(again, await goOn(again, "four"));
	expect(exchanges(again)).toHaveLength(12);
	await expectAll(sandbox, host, again);
});

test("a tool that is kept raw from now on stays folded where it is, and one that is not any more folds at the next commit", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ ...KEPT, settings: OFF });
	await plan(host, "first");
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const before = await host.ask("folded?");
	expect(before.some((message) => message.includes("planned first") && !isOurs(message))).toBe(false);
	await host.quit();

	const kept = await sandbox.open(host.file, KEPT);
	expect(shared(before, await kept.ask("kept from now on?"))).toBe(before.length);
	await plan(kept, "second");
	const sent = await goOn(kept, "one");
	for (const message of exchanges(kept).slice(-3)) expect(sent).toContain(message);
	await kept.quit();

	const free = await sandbox.open(host.file, { ...KEPT, settings: OFF });
	expect(shared(sent, await free.ask("free again?"))).toBe(sent.length);
	await goOn(free, "two");
	await expectAll(sandbox, host, kept, free);
});

/** The receipt of the last commit in a window. */
function receiptIn(sent: Sent): string {
	const texts = sent.filter(isOurs).flatMap((message) => JSON.parse(message).content);
	return (
		texts.map(({ text }: { text: string }) => text).findLast((text) => text.startsWith("[Folded by")) ?? ""
	);
}

test("a receipt asks for briefs where it is told to and three marks lack one, within 2,400 bytes, and is had again from its node", async () => {
	await using sandbox = new Sandbox();
	// a floor under which marks are left pending
	const settings = { ...OFF, postFoldNotice: true, floorTokens: 4_000 };
	const options = { tools: TOOLS, settings };
	const host = await sandbox.create(options);
	for (const topic of ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]) await host.work(topic);
	await host.fold();
	const asked = receiptIn(await host.ask("what now?"));
	expect(asked).toContain('{"action":"brief","id":"…","brief":"…"}');
	expect(Buffer.byteLength(asked)).toBeLessThanOrEqual(2_400);
	const pending = await foldsThat(host, "pending");
	expect(pending.length).toBeGreaterThanOrEqual(3);
	const named = asked.match(/^f\d+-[0-9a-f]{8}(?=: )/gm) ?? [];
	expect(named.length).toBeGreaterThanOrEqual(3);
	for (const id of named) expect(pending).toContain(id);
	const before = host.requests.at(-1) ?? [];
	await host.quit();
	rmSync(sandbox.home, { recursive: true });
	const bare = await sandbox.open(host.file, options);
	expect(shared(before, await bare.ask("and without the store?"))).toBe(before.length);
	expect(bare.said).toEqual([]);
	expect(bare.errors).toEqual([]);

	for (const id of named) await fold(bare, { action: "brief", id, brief: `what ${id} is about` });
	for (const topic of ["theta", "iota"]) await bare.work(topic);
	await bare.fold();
	const told = receiptIn(await bare.ask("thanks?"));
	for (const id of named) expect(told).not.toContain(`${id}: `);
	expect(told.length).toBeGreaterThan(0);
	const copy = await sandbox.host(SessionManager.forkFrom(bare.file, sandbox.dir, sandbox.sessions), options);
	const last = bare.requests.at(-1) ?? [];
	expect(shared(last, await copy.ask("and in a copy?"))).toBe(last.length);
	expect(copy.said).toEqual([]);
});

test("without being told to, a receipt asks for nothing, and takes at most 900 bytes beside the work summary", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools: TOOLS, settings: { ...OFF, floorTokens: 4_000 } });
	for (const topic of ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]) await host.work(topic);
	await host.fold();
	const receipt = receiptIn(await host.ask("what now?"));
	const [said = "", summary = ""] = receipt.split("\n\n");
	expect(said).toMatch(/^\[Folded by the runtime: [^\n]*\]$/);
	expect(Buffer.byteLength(said)).toBeLessThanOrEqual(900);
	expect(summary).toMatch(/^Work summary, .*data, not instructions/);
	expect(summary.length).toBeLessThanOrEqual(6_000);
});

test("a floor that is raised by a factor leaves that much more raw, and no more than can be folded around", async () => {
	const raw: number[] = [];
	for (const [floorFactor, contextWindow, floor] of [
		[1, 90_000, 16_000],
		[1.5, 90_000, 24_000],
		[2.5, 90_000, 40_000],
		[2.5, 66_000, 29_700],
	] as const) {
		await using sandbox = new Sandbox();
		const { floorTokens: _floor, ...rest } = OFF;
		const settings = { ...rest, floorFactor, minTarget: 0.1, toolFoldThreshold: 0 };
		const models = [{ id: "faux-1", contextWindow, maxTokens: 4_000 }];
		const host = await sandbox.create({ tools: TOOLS, settings, models });
		for (let n = 0; n < 11; n++) await host.work(`topic-${n}`, 3, 6_000);
		await host.fold();
		const sent = await host.ask("how much is left?");
		raw.push(sent.filter((message) => !isOurs(message)).join("").length / 4);
		await host.quit();
		const { events } = await logOf(sandbox.home, host.session.sessionId);
		expect(events.find(({ type }) => type === "commit/applied")?.data.floor).toBe(floor);
	}
	const [one = 0, half = 0, more = 0, capped = 0] = raw;
	expect(one).toBeGreaterThan(16_000);
	expect(half).toBeGreaterThan(one + 5_000);
	expect(more).toBeGreaterThan(half + 10_000);
	expect(capped).toBeLessThan(more - 5_000);
});

const CHANGES: readonly (readonly [string, Partial<Settings>])[] = [
	["the tools kept raw", { keepRaw: ["fetch"] }],
	["the length of cuts", { minFoldChars: 3_000 }],
	["the size of groups", { consolidateAfter: 2 }],
	["how briefs are written", { briefs: "truncation" }],
];

for (const [what, change] of CHANGES) {
	test(`${what} may change between two decisions, and the path alone gives their windows still`, async () => {
		await using sandbox = new Sandbox();
		const host = await sandbox.create({ tools: TOOLS, settings: OFF });
		for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
		const root = messages(host, "user").at(-1) ?? "";
		await host.fold();
		await host.work("between", 3, 2_500);
		await host.quit();
		const changed = { tools: TOOLS, settings: { ...OFF, ...change } };
		const again = await sandbox.open(host.file, changed);
		const before = await goOn(again, "later");
		await again.quit();
		const copy = await sandbox.host(SessionManager.forkFrom(host.file, sandbox.dir, sandbox.sessions), {
			tools: TOOLS,
			settings: OFF,
		});
		expect(shared(before, await copy.ask("the same?"))).toBe(before.length);
		// another branch, cut by other rules in the same file
		await copy.session.navigateTree(root);
		await goOn(copy, "aside");
		await copy.quit();
		rmSync(sandbox.home, { recursive: true });
		const bare = await sandbox.open(copy.file, changed);
		const aside = copy.requests.at(-1) ?? [];
		expect(shared(aside, await bare.ask("and here?"))).toBe(aside.length);
		expect([...copy.said.slice(1), ...bare.said, ...copy.errors, ...bare.errors]).toEqual([]);
	});
}

test("a stretch of which every message stays raw has its text before it, as the log says", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({
		...KEPT,
		settings: { ...OFF, ...KEPT.settings, consolidateAfter: 10 },
	});
	await host.work("alpha");
	const calls = ["one", "two", "three"].map(
		(step) => () => fauxAssistantMessage(fauxToolCall("plan", { step }), { stopReason: "toolUse" }),
	);
	await host.play("plan it all", [...calls, () => fauxAssistantMessage("planned")]);
	const sent = await goOn(host, "on");
	expectKept(host, sent);
	await expectAll(sandbox, host);
});
