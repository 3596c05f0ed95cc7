import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { DEFAULT_COMPACT_CONFIG } from "../../src/adapters/pi/compact-config.ts";
import { registerEngine, registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { idOf, typeRecall } from "./recall-calls.ts";
import { type HostOptions, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";

const OPTIONS: HostOptions = { settings: { ...QUICK_SETTINGS, policy: "off" } };

test("the command finds what was said, starts no turn and leaves no message", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic);
	const call = fauxToolCall("read", { path: "my docs/alpha beta.md" });
	await host.play("read it", [
		() => fauxAssistantMessage(call, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("there is none"),
	]);
	await host.fold();
	const { length } = host.requests;
	const lines = host.lines();
	expect(await typeRecall(host, '"beta/page-1.ts line 3" kind:tool_result limit:3')).toMatch(
		new RegExp(`^1 entry found, best first\\n\\n\\[entry ${idOf(host, "beta/page-1.ts line 3")}\\] .*fold=`),
	);
	expect(await typeRecall(host, 'file:"docs/alpha beta" kind:tool_call')).toMatch(
		/^1 entry found, best first\n\n\[entry \S+\] .* tools=read files=my docs\/alpha beta\.md\n/,
	);
	expect(await typeRecall(host, "list page:2 limit:2")).toMatch(/^\d+ entries, newest first, page 2\n/);
	expect(await typeRecall(host, "")).toMatch(/^Palimpsest: \/pi-compact-recall takes words/);
	expect(await typeRecall(host, "ids:nowhere")).toMatch(/^Palimpsest: ENTRY_UNKNOWN: /);
	expect(host.requests).toHaveLength(length);
	expect(host.lines()).toEqual(lines);
	expect(host.errors).toEqual([]);
});

test("one id with raw is the whole JSON, whatever the budget; a slice of it keeps to that", async () => {
	await using sandbox = new Sandbox();
	const engine = (pi: ExtensionAPI) =>
		registerEngine(pi, () => QUICK_SETTINGS, {
			compaction: () => ({ from: "defaults", config: { ...DEFAULT_COMPACT_CONFIG, recallMaxChars: 500 } }),
		});
	const host = await sandbox.create({ engine });
	await host.work("alpha", 1, 6_000);
	const id = idOf(host, "page-0.ts line 0");
	const line = host.lines().find((one) => JSON.parse(one).id === id);
	expect(await typeRecall(host, `ids:${id} raw`)).toBe(line);
	const slice = await typeRecall(host, `ids:${id} raw offset:100`);
	expect(slice.length).toBeLessThanOrEqual(500);
	expect(line?.slice(100)).toMatch(JSON.parse(slice).body.slice(0, 20));
	expect((await typeRecall(host, `ids:${id},${host.path("message")[0]} raw`)).length).toBeLessThanOrEqual(
		500,
	);
});

test("the user may look at every branch, and at what an edit replaced", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask("a beginning");
	const here = host.session.sessionManager.getLeafId() ?? "";
	await host.ask("the zebra is on the other branch");
	const there = idOf(host, "the zebra");
	await host.session.navigateTree(here);
	await host.ask("the heron is edited away");
	const heron = idOf(host, "the heron");
	host.session.sessionManager.appendContextEdit(heron, null);
	host.session.refreshContext();
	await host.ask("and now?");
	expect(await typeRecall(host, "zebra")).toBe("nothing was found");
	expect(await typeRecall(host, "zebra scope:all")).toContain(`[entry ${there}]`);
	expect(await typeRecall(host, `ids:${there} scope:all`)).toContain("the zebra");
	expect(await typeRecall(host, "heron")).toContain(`[entry ${heron}]`);
	expect(host.errors).toEqual([]);
});

test("before anybody spoke there is nothing, and no store is made for a look", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	expect(await typeRecall(host, "anything")).toBe(
		"nothing was found; this session has no index here, and was read through",
	);
	expect(sandbox.stores()).toEqual([]);
});

test("beside an extension that compacts neither the command nor the tool is made", async () => {
	await using sandbox = new Sandbox();
	const neighbour = (pi: ExtensionAPI) => {
		pi.registerTool({
			name: "pi_compact_recall",
			label: "recall",
			description: "the neighbour's",
			parameters: Type.Object({}),
			execute: async () => ({ content: [{ type: "text", text: "theirs" }], details: {} }),
		});
		const handler = async (_args: string, ctx: { ui: { notify: (text: string) => void } }) =>
			ctx.ui.notify("of the neighbour");
		pi.registerCommand("pi-compact-recall", { description: "the neighbour's", handler });
	};
	for (const order of ["before", "after"] as const) {
		const host = await sandbox.create({
			[order]: [neighbour],
			engine: (pi: ExtensionAPI) => registerPalimpsest(pi),
			tools: ["fetch", "pi_fold_context", "pi_compact_recall"],
		});
		await host.ask("hello");
		const tool = host.session.getAllTools().find(({ name }) => name === "pi_compact_recall");
		expect(tool?.description).toBe("the neighbour's");
		expect(await typeRecall(host, "x")).toBe("of the neighbour");
		expect(host.errors).toEqual([]);
	}
});
