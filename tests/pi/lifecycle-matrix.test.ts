import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { furnish, furnished, goOn, messages, OPTIONS } from "./furnished.ts";
import { expectAll } from "./invariants.ts";
import { Router } from "./router.ts";
import { BILLED, type Host, Sandbox } from "./sandbox.ts";
import { shared } from "./shared.ts";

const userSaying = (host: Host, text: string) =>
	messages(host, "user").find((id) =>
		JSON.stringify(host.session.sessionManager.getEntry(id)).includes(text),
	) ?? "";

/** What was sent last. */
const last = (host: Host) => host.requests.at(-1) ?? [];

test("/new begins raw, and /resume finds the window it left", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const left = last(host);
	const { file } = host;
	await host.runtime.newSession();
	await furnish(host);
	await goOn(host, "elsewhere");
	await host.runtime.switchSession(file);
	const back = await host.ask("back?");
	expect(shared(left, back)).toBe(left.length);
	await goOn(host);
	await expectAll(sandbox, host);
});

for (const [where, said] of [
	["before the first decision", "Read about gamma"],
	["between two decisions", "see to the window: pin"],
	["after the last decision", "see to the window: peek"],
] as const) {
	test(`/fork ${where} keeps what was in force there`, async () => {
		await using sandbox = new Sandbox();
		const host = await furnished(sandbox, OPTIONS);
		const there = userSaying(host, said);
		const then = host.asked.findLast(({ path }) => !path.some(({ id }) => id === there));
		await host.runtime.fork(there);
		const forked = await host.ask("another way");
		expect(shared(then?.sent ?? [], forked)).toBe(then?.sent?.length);
		await furnish(host);
		await goOn(host);
		await expectAll(sandbox, host);
	});
}

test("/clone keeps everything in force", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const before = last(host);
	await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
	const after = await host.ask("the same?");
	expect(shared(before, after)).toBe(before.length);
	await goOn(host);
	await expectAll(sandbox, host);
});

test("/tree goes back and forth over decisions, each leaf with its own window", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const here = host.session.sessionManager.getLeafId() ?? "";
	const before = last(host);
	const asked = [...host.asked];
	for (const said of ["Read about gamma", "see to the window: pin", "see to the window: peek"]) {
		const there = userSaying(host, said);
		const then = asked.findLast(({ path }) => !path.some(({ id }) => id === there));
		await host.session.navigateTree(there);
		const sent = await host.ask("as it was?");
		expect(shared(then?.sent ?? [], sent)).toBe(then?.sent?.length);
		await goOn(host, said.replaceAll(/\W/g, "-"));
		await host.session.navigateTree(here);
	}
	const back = await host.ask("as it was?");
	expect(shared(before, back)).toBe(before.length);
	await goOn(host);
	await expectAll(sandbox, host);
});

test("/tree with a summary shows the host's summary, raw and in its place", async () => {
	await using sandbox = new Sandbox();
	const summarise = (pi: ExtensionAPI) => {
		pi.on("session_before_tree", () => ({ summary: { summary: "what was tried on the other branch" } }));
	};
	const host = await furnished(sandbox, { ...OPTIONS, after: [summarise] });
	for (const said of ["see to the window: peek", "Read about gamma"]) {
		await host.session.navigateTree(userSaying(host, said), { summarize: true });
		const sent = await host.ask("and now?");
		expect(sent.filter((message) => message.includes("what was tried on the other branch"))).toHaveLength(1);
		await goOn(host, said.replaceAll(/\W/g, "-"));
	}
	expect(host.path("branch_summary").length).toBeGreaterThan(0);
	await expectAll(sandbox, host);
});

test("/reload, a restart and a dropped session keep everything in force", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	let before = last(host);
	await host.session.reload();
	const reloaded = await host.ask("reloaded?");
	expect(shared(before, reloaded)).toBe(before.length);
	await goOn(host, "reloaded");
	before = last(host);
	await host.quit();
	const again = await sandbox.open(host.file, OPTIONS);
	const restarted = await again.ask("restarted?");
	expect(shared(before, restarted)).toBe(before.length);
	await furnish(again);
	before = last(again);
	again.drop();
	const third = await sandbox.open(host.file, OPTIONS);
	const dropped = await third.ask("dropped?");
	expect(shared(before, dropped)).toBe(before.length);
	await goOn(third, "dropped");
	await expectAll(sandbox, host, again, third);
});

test("a session in memory keeps what others keep, through a reload too", async () => {
	await using sandbox = new Sandbox();
	const host = await furnish(await sandbox.host(SessionManager.inMemory(sandbox.dir), OPTIONS));
	const before = last(host);
	await host.session.reload();
	expect(shared(before, await host.ask("reloaded?"))).toBe(before.length);
	await goOn(host);
	await expectAll(sandbox, host);
	expect(sandbox.stores()).toEqual([]);
});

test("other models and thinking levels are sent the same window, or one that a decision changed", async () => {
	await using sandbox = new Sandbox();
	const models = [...BILLED, { id: "thinks", reasoning: true, contextWindow: 40_000 }];
	const host = await furnished(sandbox, { ...OPTIONS, models });
	for (const id of ["faux-2", "thinks", "faux-1"]) {
		await host.switchTo(id);
		for (const level of ["high", "off"] as const) {
			host.session.setThinkingLevel(level);
			await host.ask(`${id} at ${level}?`);
		}
		await goOn(host, id);
	}
	await expectAll(sandbox, host);
});

test("a virtual model that answers with one model and then with another is sent the same window", async () => {
	await using sandbox = new Sandbox();
	let turn = 0;
	const router = new Router(() => `faux-${1 + (turn++ % 2)}`);
	const host = await sandbox.create({ ...OPTIONS, models: BILLED, before: [router.extension] });
	await router.choose();
	await furnish(host);
	await goOn(host);
	expect(turn).toBeGreaterThan(20);
	await expectAll(sandbox, host);
});

test("a reply that is aborted while it streams leaves the window as it was", async () => {
	await using sandbox = new Sandbox();
	let impatient = false;
	let abort = () => {};
	const stop = (pi: ExtensionAPI) => {
		pi.on("message_update", () => {
			if (impatient) abort();
		});
	};
	const host = await furnished(sandbox, { ...OPTIONS, after: [stop] });
	abort = () => void host.session.abort();
	const before = last(host);
	impatient = true;
	await host.ask("say a lot", "word ".repeat(500));
	impatient = false;
	const replies = messages(host, "assistant").map((id) => host.session.sessionManager.getEntry(id));
	expect(JSON.stringify(replies.at(-1))).toContain('"stopReason":"aborted"');
	const after = await host.ask("never mind");
	expect(shared(before, after)).toBe(before.length);
	await goOn(host);
	await expectAll(sandbox, host);
});

test("tools that are aborted, with calls of ours among them, leave pairs whole", async () => {
	await using sandbox = new Sandbox();
	let abort: (() => void) | undefined;
	const stop = (pi: ExtensionAPI) => {
		pi.on("tool_execution_end", () => abort?.());
	};
	const host = await furnished(sandbox, { ...OPTIONS, after: [stop] });
	abort = () => void host.session.abort();
	const calls = [
		fauxToolCall("fetch", { page: "a", chars: 1_500 }),
		fauxToolCall("pi_fold_context", { action: "pin", ids: [messages(host, "toolResult").at(-1) ?? ""] }),
		fauxToolCall("fetch", { page: "b", chars: 1_500 }),
	];
	await host.play("do three things", [() => fauxAssistantMessage(calls, { stopReason: "toolUse" })]);
	abort = undefined;
	await host.ask("go on");
	await goOn(host);
	await expectAll(sandbox, host);
});

test("a failed attempt, retried, and a reply that was cut short leave the window as it was", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const before = last(host);
	const busy = () => fauxAssistantMessage("", { stopReason: "error", errorMessage: "529 overloaded_error" });
	const retried = await host.play("try", [busy, busy, () => fauxAssistantMessage("well")]);
	expect(shared(before, retried)).toBe(before.length);
	await goOn(host, "retried");
	const then = last(host);
	await host.play("say much", [() => fauxAssistantMessage("much, but", { stopReason: "length" })]);
	const after = await host.ask("go on");
	expect(shared(then, after)).toBe(then.length);
	await goOn(host, "cut-short");
	await expectAll(sandbox, host);
});

test("decisions in one batch of calls, beside other tools, are all in force at the next request", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const texts = last(host).join("\n");
	const open = /\bf\d+-[0-9a-f]{8}\b/.exec(texts)?.[0] ?? "";
	const group = /\bg1-[0-9a-f]{8}\b/.exec(texts)?.[0] ?? open;
	const results = messages(host, "toolResult");
	const batch = [
		{ action: "expand", id: group },
		{ action: "peek", id: group, bytes: 2_000 },
		{ action: "pin", ids: [results.at(-2) ?? ""] },
		{ action: "peek", id: results[0] ?? "", bytes: 2_000 },
		{ action: "status", detail: "folds" },
	];
	const nodes = host.path("custom").length;
	const sent = await host.play("all at once", [
		() =>
			fauxAssistantMessage(
				[
					fauxToolCall("fetch", { page: "first", chars: 1_500 }),
					...batch.map((args) => fauxToolCall("pi_fold_context", args)),
					fauxToolCall("fetch", { page: "last", chars: 1_500 }),
				],
				{ stopReason: "toolUse" },
			),
		() => fauxAssistantMessage("done"),
	]);
	const answers = sent.slice(-7).map((message) => JSON.parse(message));
	expect(answers.map(({ role, isError }) => ({ role, isError }))).toEqual(
		answers.map(() => ({ role: "toolResult", isError: false })),
	);
	expect(host.path("custom").length).toBe(nodes + 2);
	await goOn(host);
	await expectAll(sandbox, host);
});
