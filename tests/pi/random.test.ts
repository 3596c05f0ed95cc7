import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { messages, TOOLS } from "./furnished.ts";
import { expectAll } from "./invariants.ts";
import { isOurs } from "./outside.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";

const SETTINGS = { ...QUICK_SETTINGS, floorTokens: 700, inputBudget: 6_000 };

const ACTIONS = ["expand", "refold", "peek", "pin", "unpin", "brief", "unmark", "reboundary"];
const steps = fc.array(
	fc.record({
		does: fc.constantFrom(
			...["work", "work", "work", "work", "work"],
			...["call", "call", "call"],
			"ask",
			"fold",
			"compact",
			"omit",
			"replace",
			"label",
			"tree",
			"fork",
			"clone",
			"switch",
			"reload",
			"restart",
			"fail",
			"abort",
			"bash",
		),
		which: fc.nat(1_000),
	}),
	{ minLength: 12, maxLength: 26 },
);

const OF_MARKS = ["brief", "unmark", "reboundary"];
const ID = /\b[fgr]\d+-[0-9a-f]{8}\b/g;

/** Calls of our tool that may or may not be refused, a few in one reply, after the marks were listed. */
function callsOf(host: Host, which: number) {
	const window = host.requests.at(-1) ?? [];
	const folds = window.filter(isOurs).join("\n").match(ID) ?? [];
	const marks = window.at(-1)?.match(ID) ?? [];
	const results = messages(host, "toolResult");
	const pick = (from: readonly string[], by: number) => from[by % Math.max(1, from.length)] ?? "nothing";
	return Array.from({ length: 1 + (which % 3) }, (_, n) => {
		const action = ACTIONS[(which + n) % ACTIONS.length] ?? "status";
		const id = pick(OF_MARKS.includes(action) ? marks : folds, which + n);
		const ids = [action === "unmark" ? id : pick(results, which * 7 + n)];
		const takesIds =
			["pin", "unpin", "unmark"].includes(action) || (action === "reboundary" && which % 2 === 0);
		const args = takesIds ? { ids } : { id };
		return fauxToolCall("pi_fold_context", {
			action,
			...args,
			...(action === "brief" && { brief: `said ${which}` }),
		});
	});
}

test("whatever happens to a session, what reached the provider is what the log has, and only grew without a cause", async () => {
	let folded = 0;
	let compacted = 0;
	let checkpoints = 0;
	const decided = new Set<string>();
	const property = fc.asyncProperty(steps, async (script) => {
		await using sandbox = new Sandbox();
		let keepFrom = "";
		let stops = false;
		const meddle = (pi: ExtensionAPI) => {
			pi.on("session_before_compact", ({ preparation: { tokensBefore } }) => {
				// otherwise it is a checkpoint of ours
				if (keepFrom === "") return undefined;
				const summary = `summary up to ${keepFrom}`;
				return { compaction: { summary, firstKeptEntryId: keepFrom, tokensBefore } };
			});
			pi.on("tool_execution_end", () => {
				if (stops) void host.session.abort();
			});
		};
		const options = { settings: SETTINGS, models: BILLED, after: [meddle], tools: TOOLS };
		let host = await sandbox.create(options);
		const hosts = [host];
		for (const [n, { does, which }] of script.entries()) {
			const pick = (ids: readonly string[]) => ids[which % Math.max(1, ids.length)];
			const { sessionManager } = host.session;
			if (does === "work") await host.work(`topic-${n}`, 1 + (which % 4), 900 + which * 3);
			if (does === "call" || does === "abort") {
				const list = fauxToolCall("pi_fold_context", { action: "status", detail: "fold_candidates" });
				const beside = fauxToolCall("fetch", { page: `beside ${n}`, chars: 900 });
				await host.play(`see to it ${n}`, [
					() => fauxAssistantMessage([list], { stopReason: "toolUse" }),
					() => {
						stops = does === "abort";
						return fauxAssistantMessage([beside, ...callsOf(host, which)], { stopReason: "toolUse" });
					},
					() => fauxAssistantMessage("done"),
				]);
				stops = false;
			}
			if (does === "ask") await host.ask(`question ${n}`, `answer ${n}`);
			if (does === "fold") await host.fold();
			if (does === "switch") await host.switchTo(`faux-${1 + (which % 2)}`);
			if (does === "bash")
				host.session.recordBashResult(`make ${n}`, {
					output: `made ${n}\n`.repeat(which),
					exitCode: 0,
					cancelled: false,
					truncated: false,
				});
			if (does === "fail") {
				const failure = { stopReason: "error", errorMessage: "529 overloaded_error" } as const;
				await host.play(`retry ${n}`, [
					() => fauxAssistantMessage("", failure),
					() => fauxAssistantMessage("well"),
				]);
			}
			const target = pick(messages(host, "user", "assistant"));
			const edited = pick(messages(host, "user"));
			const result = pick(messages(host, "toolResult"));
			if (does === "tree" && target) await host.session.navigateTree(target);
			if (does === "fork" && edited) await host.runtime.fork(edited);
			if (does === "clone" && target) await host.runtime.fork(target, { position: "at" });
			if (does === "label" && target) sessionManager.appendLabelChange(target, `label ${n}`);
			if (does === "reload") await host.session.reload();
			if (does === "compact" && target) {
				keepFrom = which % 2 === 0 ? target : "";
				await host.session.compact().catch(() => {});
			}
			if (does === "omit" && edited) sessionManager.appendContextEdit(edited, null);
			if (does === "replace" && result)
				sessionManager.appendContextEdit(result, {
					content: [{ type: "text", text: `edited in step ${n}` }],
				});
			host.session.refreshContext();
			if (
				does === "restart" &&
				host.session.sessionManager.getEntries().some(({ type }) => type === "message")
			) {
				await host.quit();
				host = await sandbox.open(host.file, options);
				hosts.push(host);
			}
		}
		await host.ask("the last question");
		folded += host.path("custom").length;
		compacted += host.path("compaction").length;
		checkpoints += host.said.filter((words) => words.startsWith("Palimpsest: checkpoint win_")).length;
		for (const line of host.lines())
			for (const [, id = ""] of line.matchAll(/"text":"Done \(([a-z]+)-/g)) decided.add(id);
		expect(
			hosts.flatMap(({ said }) =>
				said.filter((words) => !/^Palimpsest: (folded|nothing|checkpoint win_)/.test(words)),
			),
		).toEqual([]);
		await expectAll(sandbox, ...hosts);
	});
	await fc.assert(property, {
		seed: 11,
		numRuns: 20,
		endOnFailure: true,
	});
	expect(folded).toBeGreaterThan(12);
	expect(compacted).toBeGreaterThan(5);
	expect(checkpoints).toBeGreaterThan(2);
	expect([...decided].sort()).toEqual(expect.arrayContaining(["brief", "expand", "pin", "unmark"]));
}, 120_000);
