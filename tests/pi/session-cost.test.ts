import { join } from "node:path";
import { expect, test } from "vitest";
import { storedContent } from "../../src/adapters/sessions/stored-content.ts";
import { windowMessages } from "../../src/adapters/sessions/window-messages.ts";
import type { Content } from "../../src/debug/content.ts";
import { costOf } from "../../src/debug/cost.ts";
import { decisionView } from "../../src/debug/decision-view.ts";
import { History } from "../../src/debug/history.ts";
import { whatIf } from "../../src/debug/what-if.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { fold, foldsThat, TOOLS } from "./furnished.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";

interface Read {
	readonly store: Store;
	readonly history: History;
	readonly content: Content;
}

/** Ends a session and asks its store. */
async function asked<T>(sandbox: Sandbox, host: Host, question: (read: Read) => T | Promise<T>): Promise<T> {
	await host.quit();
	const directory = join(sandbox.home, "sessions", host.session.sessionId);
	await using store = await openStore({ directory, registry: REGISTRY });
	const stream = store.streams().find((name) => name.startsWith("session/")) ?? "";
	return await question({ store, history: await History.read(store, stream), content: storedContent(store) });
}

test("what a running session was billed is told from its store, and what broke its caches", async () => {
	await using sandbox = new Sandbox();
	const settings = { ...QUICK_SETTINGS, policy: "off" as const };
	const host = await sandbox.create({ models: BILLED, tools: TOOLS, settings });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	await host.work("epsilon");
	const [, second = ""] = await foldsThat(host, "standing");
	await fold(host, { action: "expand", id: second });
	await host.work("zeta");
	const usages = host.asked.map(({ usage }) => usage);

	await asked(sandbox, host, ({ history, content }) => {
		const cost = costOf(history, content, { messages: (items) => windowMessages(items, content) });
		expect(cost.basis).toBe("billed");
		expect(cost.rows.map(({ fresh, cached, written, output }) => [fresh, cached, written, output])).toEqual(
			usages.map((usage) => [usage?.input, usage?.cacheRead, usage?.cacheWrite, usage?.output]),
		);
		const { fresh, cached, written, output } = cost.totals;
		expect(cost.totals.cost).toBeCloseTo((fresh * 3 + cached * 0.3 + written * 3.75 + output * 15) / 1e6, 10);
		expect(cost.breaks).toMatchObject([
			{ cause: "commit", item: 1, byte: expect.any(Number), decision: cost.commits[0]?.id },
			{ cause: "expand", item: 2, byte: expect.any(Number), detail: `fold ${second} was opened` },
		]);
		const [commit] = cost.commits;
		expect(commit).toMatchObject({ trigger: "user", request: 17 });
		// the provider's tokens have four characters, and ours three until it was measured for long
		expect(commit?.bill?.rewritten).toBeGreaterThan(0.8 * (commit?.quote.rewritten ?? 0));
		expect(commit?.bill?.rewritten).toBeLessThan(1.25 * (commit?.quote.rewritten ?? 0));
		expect(decisionView(history, { request: 17 })).toMatchObject({
			kind: "commit",
			actor: "user",
			quote: commit?.quote,
			bill: commit?.bill,
		});
	});
});

test("a running session that folded by itself comes out as it was under the settings it had", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ models: BILLED, tools: TOOLS, settings: QUICK_SETTINGS });
	for (let n = 0; n < 12; n++) await host.work(`topic-${n}`);

	await asked(sandbox, host, async ({ store, history, content }) => {
		const same = await whatIf(history, store, content, { settings: {} });
		expect(same.recorded.commits).toBeGreaterThan(0);
		expect({ ...same.other, label: "" }).toEqual({ ...same.recorded, label: "" });
		const off = await whatIf(history, store, content, { settings: { policy: "off" } });
		expect(off.other.commits).toBe(0);
		expect(off.other.peak).toBeGreaterThan(off.recorded.peak);
	});
});
