import { stderr } from "node:process";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import palimpsest from "../../src/adapters/pi/extension.ts";

afterEach(() => vi.restoreAllMocks());

test("a host that lacks what is needed is told so in one line, and nothing is thrown at it", async () => {
	const write = vi.spyOn(stderr, "write").mockReturnValue(true);
	await palimpsest({} as ExtensionAPI);
	expect(write.mock.calls.map(([text]) => text)).toEqual([
		expect.stringMatching(/^Palimpsest: not loaded: .+\n$/),
	]);
});

test("loading it opens nothing and asks for nothing but hooks, its commands and its tools", async () => {
	const asked: string[] = [];
	const starts: ((event: object, ctx: object) => Promise<void>)[] = [];
	const pi = {
		on: (event: string, handler: () => Promise<void>) => {
			asked.push(event);
			if (event === "session_start") starts.push(handler);
		},
		appendEntry: () => asked.push("entry"),
		getAllTools: () => [],
		getCommands: () => [],
		registerCommand: (name: string) => asked.push(`/${name}`),
		registerTool: ({ name }: { name: string }) => asked.push(`tool ${name}`),
	};
	await palimpsest(pi as unknown as ExtensionAPI);
	expect(asked.filter((name) => /^\/|^tool /.test(name))).toEqual([]);
	const sessionManager = { getSessionId: () => "s1" };
	const ctx = {
		hasUI: true,
		ui: { notify: (text: string) => asked.push(text) },
		sessionManager,
		cwd: "/nowhere",
	};
	for (const start of starts) await start({ reason: "startup" }, ctx);
	expect([...new Set(asked)].sort()).toEqual([
		"/fold",
		"/fold-debug",
		"/fold-editor",
		"/fold-settings",
		"/fold-status",
		"/forget",
		"/memories",
		"/pi-compact-recall",
		"/pi-compact-status",
		"/remember",
		"agent_before_settle",
		"before_agent_start",
		"before_provider_request",
		"cache_warming_decision",
		"context_with_system",
		"input",
		"message_start",
		"session_before_compact",
		"session_before_fork",
		"session_before_switch",
		"session_before_tree",
		"session_compact",
		"session_compact_failed",
		"session_shutdown",
		"session_start",
		"session_tree",
		"tool pi_compact_new_context",
		"tool pi_compact_recall",
		"tool pi_fold_context",
		"tool pi_memory_propose",
		"tool pi_memory_read",
		"tool pi_memory_search",
		"tool pi_memory_update",
		"tool_call",
		"tool_result",
		"turn_end",
	]);
});
