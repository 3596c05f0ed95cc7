import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { messages } from "./furnished.ts";
import { expectHistory } from "./past-windows.ts";
import { BILLED, QUICK_SETTINGS, Sandbox, type Sent } from "./sandbox.ts";

const SETTINGS = { ...QUICK_SETTINGS, floorTokens: 700, inputBudget: 6_000 };

const steps = fc.array(
	fc.record({
		does: fc.constantFrom(
			...["work", "work", "work", "work", "work"],
			"ask",
			"fold",
			"compact",
			"omit",
			"replace",
			"label",
			"tree",
			"switch",
			"restart",
			"fail",
			"refuse",
		),
		which: fc.nat(1_000),
	}),
	{ minLength: 12, maxLength: 24 },
);

test("whatever happens to a session, what reached the provider is what the log has, and only grew without a cause", async () => {
	let folded = 0;
	let compacted = 0;
	const property = fc.asyncProperty(steps, async (script) => {
		await using sandbox = new Sandbox();
		let keepFrom = "";
		const summarise = (pi: ExtensionAPI) => {
			pi.on("session_before_compact", ({ preparation: { tokensBefore } }) => ({
				compaction: { summary: `summary up to ${keepFrom}`, firstKeptEntryId: keepFrom, tokensBefore },
			}));
		};
		const options = { settings: SETTINGS, models: BILLED, before: [summarise] };
		let host = await sandbox.create(options);
		const requests: Sent[] = [];
		for (const [n, { does, which }] of script.entries()) {
			const pick = (ids: readonly string[]) => ids[which % Math.max(1, ids.length)];
			const { sessionManager } = host.session;
			if (does === "work") await host.work(`topic-${n}`, 1 + (which % 4), 900 + which * 3);
			if (does === "ask") await host.ask(`question ${n}`, `answer ${n}`);
			if (does === "fold") await host.fold();
			if (does === "switch") await host.switchTo(`faux-${1 + (which % 2)}`);
			if (does === "fail") {
				const failure = { stopReason: "error", errorMessage: "529 overloaded_error" } as const;
				await host.play(`retry ${n}`, [
					() => fauxAssistantMessage("", failure),
					() => fauxAssistantMessage("well"),
				]);
			}
			if (does === "refuse") {
				const words = ["prompt is too long: 9 tokens > 8 maximum", "413 payload too large"];
				const refused = { stopReason: "error", errorMessage: words[which % 2] ?? "" } as const;
				await host.play(`refused ${n}`, [
					...Array.from({ length: 1 + (which % 3) }, () => () => fauxAssistantMessage("", refused)),
					() => fauxAssistantMessage("well"),
				]);
			}
			const target = pick(messages(host, "user", "assistant"));
			if (does === "tree" && target) await host.session.navigateTree(target);
			if (does === "label" && target) sessionManager.appendLabelChange(target, `label ${n}`);
			if (does === "compact" && target) {
				keepFrom = target;
				await host.session.compact().catch(() => {});
			}
			const edited = pick(messages(host, "user"));
			const result = pick(messages(host, "toolResult"));
			if (does === "omit" && edited) sessionManager.appendContextEdit(edited, null);
			if (does === "replace" && result)
				sessionManager.appendContextEdit(result, {
					content: [{ type: "text", text: `edited in step ${n}` }],
				});
			host.session.refreshContext();
			if (does === "restart" && requests.length + host.requests.length > 0) {
				await host.quit();
				requests.push(...host.requests);
				expect(host.errors).toEqual([]);
				host = await sandbox.open(host.file, options);
			}
		}
		await host.ask("the last question");
		expect(host.errors).toEqual([]);
		folded += host.path("custom").length;
		compacted += host.path("compaction").length;
		await expectHistory(sandbox, host, [...requests, ...host.requests]);
	});
	await fc.assert(property, {
		seed: 11,
		numRuns: 20,
		endOnFailure: true,
	});
	expect(folded).toBeGreaterThan(12);
	expect(compacted).toBeGreaterThan(5);
}, 60_000);
