import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import { expect, test, vi } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import { savedAgainstHost } from "../../projections/host-alone/saving.ts";
import { initialStates, replayStates } from "../../projections/states.ts";
import { callFold } from "./fold-calls.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

const COMPACTION = { reserveTokens: 2_000, keepRecentTokens: 2_000 };

test("the footer follows each turn and commit, and is cleared when the session ends", async () => {
	await using sandbox = new Sandbox();
	const settings = { ...QUICK_SETTINGS, policy: "band" as const };
	const host = await sandbox.create({ settings, models: BILLED, compaction: COMPACTION });
	expect(host.status).toBeUndefined();
	await host.ask("hello");
	expect(host.status).toMatch(/^palimpsest \d+%$/);
	for (let n = 0; n < 8; n++) await host.work(`topic-${n}`, 4, 6_000);
	expect(host.said).not.toEqual([]);
	expect(host.status).toMatch(/^palimpsest \d+% · \d+ folds? · \d+ staged · (saved|lost) \$[\d.]+$/);
	await host.quit();
	expect(host.status).toBeUndefined();
	expect(host.errors).toEqual([]);
});

test("/fold-status tells how it stands, also where nothing was said yet", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ models: BILLED });
	const status = async () => {
		await host.session.prompt("/fold-status");
		return host.said.at(-1) ?? "";
	};
	expect(await status()).toBe("Palimpsest: nothing was said in this session yet");
	expect(sandbox.stores()).toEqual([]);
	for (let n = 0; n < 3; n++) await host.work(`topic-${n}`, 4, 2_000);
	const before = await status();
	expect(before).toMatch(
		/^Palimpsest: folding by itself, economic\n\[[█░]{24}\] \d+%, [\d,]+ of 36,000 tokens$/m,
	);
	expect(before).toMatch(/^folds {4}0 here, 0 with nesting$/m);
	await host.fold();
	const after = await status();
	const [, here, nested] = /^folds {4}(\d+) here, (\d+) with nesting$/m.exec(after) ?? [];
	expect(Number(here)).toBeGreaterThan(0);
	expect(Number(nested)).toBeGreaterThan(Number(here));
	expect(after).toMatch(/^staged {3}\d+ marks?, about [\d,]+ tokens$/m);
	expect(after).toMatch(/^last {5}folded about /m);
	expect(after).toMatch(/^so far {3}\$[\d.]+, where Pi's own compaction would have made it \$[\d.]+$/m);
	for (const line of after.split("\n")) expect(line.length).toBeLessThanOrEqual(78);
	await host.quit();
	const again = await sandbox.open(host.file, { models: BILLED });
	await again.session.prompt("/fold-status");
	expect(again.said.at(-1)).toBe(after);
});

test("amounts below a tenth of a cent are never told as none, wherever they are told", async () => {
	await using sandbox = new Sandbox();
	const cost = { input: 0.01, output: 0.05, cacheRead: 0.001, cacheWrite: 0.0125 };
	const models = [{ ...BILLED[0], cost } as never];
	const host = await sandbox.create({ models, tools: ["fetch", "pi_fold_context"] });
	for (let n = 0; n < 3; n++) await host.work(`topic-${n}`, 4, 2_000);
	expect(await host.fold()).toMatch(
		/ in again, for less than \$0\.001; every later request saves less than \$0\.001; so far less than \$0\.001, where Pi's own compaction would have made it less than \$0\.001$/,
	);
	const { text } = await callFold(host, { action: "status", detail: "folds" });
	const fold = JSON.parse(text).rows.at(-1)?.id ?? "";
	await host.session.prompt(`/fold why ${fold}`);
	expect(host.said.at(-1)).toMatch(/ taken in again, for less than \$0\.001\.$/);
	const opened = await callFold(host, { action: "expand", id: fold });
	expect(opened.text).toMatch(/ in again, for less than \$0\.001\.$/);
	await host.session.prompt(`/fold undo ${/expand-\d+/.exec(opened.text)?.[0]}`);
	expect(host.said.at(-1)).toMatch(/ in again, for less than \$0\.001; /);
});

test("a running sum in dollars says that it leaves out what models without prices did", async () => {
	await using sandbox = new Sandbox();
	const free = { ...BILLED[1], id: "free", cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
	const host = await sandbox.create({ models: [...BILLED, free as never] });
	const sum = async () => {
		await host.session.prompt("/fold-status");
		return /^so far +(.*\n? *.*)\n.*$/m.exec(host.said.at(-1) ?? "")?.[1]?.replace(/\s+/g, " ");
	};
	await host.work("alpha", 3, 2_000);
	const before = await sum();
	expect(before).toMatch(/^\$[\d.]+, where Pi's own/);
	await host.switchTo("free");
	expect(await sum()).toBe(before);
	await host.work("beta", 3, 2_000);
	const partial = before?.replace(", where", " on models with prices, where");
	expect(await sum()).toBe(partial);
	expect(await host.fold()).toMatch(/ tokens shorter; so far \$[\d.]+ on models with prices, where Pi's own/);
});

test("in a clone and after a resume the footer is there once the log is open, and the last receipt has its price", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ models: BILLED });
	for (let n = 0; n < 3; n++) await host.work(`topic-${n}`, 4, 2_000);
	await host.fold();
	await host.ask("folded");
	const last = async (on: Host) => {
		await on.session.prompt("/fold-status");
		return /^last +(.*?)\nso far/ms.exec(on.said.at(-1) ?? "")?.[1]?.replace(/\s+/g, " ");
	};
	/** what the footer says while the model is still at its first answer */
	const footer = async (on: Host) => {
		expect(on.status).toBeUndefined();
		await on.play("and here?", [
			async () => {
				await vi.waitFor(() => expect(on.status).toBeDefined(), { timeout: 5_000 });
				shown = on.status;
				return fauxAssistantMessage("here");
			},
		]);
		return shown;
	};
	let shown: string | undefined;
	await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
	expect(sandbox.stores()).toHaveLength(1);
	expect(await footer(host)).toMatch(/^palimpsest not measured yet · \d+ folds? · \d+ staged$/);
	expect(await last(host)).toMatch(
		/in again, for (about|less than) \$[\d.]+; every later request saves (about|less than) \$[\d.]+$/,
	);
	await host.quit();
	const resumed = await sandbox.open(host.file, { models: BILLED });
	expect(await footer(resumed)).toMatch(/^palimpsest \d+% · \d+ folds? · \d+ staged/);
	await resumed.quit();
	const asked = await sandbox.open(host.file, { models: BILLED });
	expect(asked.status).toBeUndefined();
	await asked.session.prompt("/fold-status");
	await vi.waitFor(() => expect(asked.status).toMatch(/^palimpsest \d+% · /), { timeout: 5_000 });
	expect([...host.errors, ...resumed.errors, ...asked.errors]).toEqual([]);
});

test("a session that is open elsewhere says first that no new folds are made", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ models: BILLED });
	await host.work("alpha", 2, 3_000);
	const second = await sandbox.open(host.file, { models: BILLED });
	await second.ask("hello");
	expect(second.status).toMatch(/^palimpsest .* · no new folds/);
	await second.session.prompt("/fold-status");
	const said = second.said.at(-1) ?? "";
	expect(said).toMatch(
		/^Palimpsest: no new folds: STORE_LOCKED: this session is open elsewhere; those\nthere are stand$/m,
	);
	expect(said).toMatch(/^next {5}nothing is committed by itself$/m);
	expect(said).not.toContain("commits now");
});

test("until something is folded or compacted, both sides of the running sum cost the same", async () => {
	await using sandbox = new Sandbox();
	const settings = { ...QUICK_SETTINGS, policy: "off" as const };
	const host = await sandbox.create({
		settings,
		models: [{ ...BILLED[0], contextWindow: 200_000 } as never],
	});
	for (let n = 0; n < 4; n++) await host.work(`topic-${n}`, 4, 3_000);
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const states = initialStates();
	replayStates(
		states,
		events.map(({ type, data, position }) => ({
			event: { type, data } as unknown as DomainEvent,
			position,
			at: 0,
		})),
	);
	const { unit, ours = 0, host: alone = 0 } = savedAgainstHost(states) ?? {};
	expect(unit).toBe("usd");
	expect(ours).toBeGreaterThan(0.05);
	expect(Math.abs(alone / ours - 1)).toBeLessThan(0.01);
});
