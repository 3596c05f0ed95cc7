import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { type Host, type HostOptions, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

afterEach(() => vi.useRealTimers());

/** Prices at which the host refreshes an idle cache of 20,000 tokens. */
const MODEL = {
	id: "faux-1",
	contextWindow: 200_000,
	cost: { input: 60, output: 60, cacheRead: 3, cacheWrite: 75 },
};

/** A host whose model states how long its caches live, in seconds; what the host asks of extensions is noted. */
async function hostOn(sandbox: Sandbox, lifetime: number, floorTokens: number) {
	const chances: number[] = [];
	const probe = (pi: ExtensionAPI) => {
		pi.on("cache_warming_decision", ({ action, continuationProbability }) => {
			if (action === "warm") chances.push(continuationProbability);
		});
	};
	const settings = { ...QUICK_SETTINGS, policy: "calm" as const, floorTokens };
	const options: HostOptions = { models: [MODEL], settings, before: [probe] };
	const host = await sandbox.create(options);
	return { host: stating(host, lifetime), options, chances };
}

function stating(host: Host, short: number): Host {
	Object.assign(host.session.model ?? {}, { promptCache: { short } });
	return host;
}

/** Fills the window; the last replies are for refreshes. */
async function fill(host: Host): Promise<void> {
	for (let n = 0; n < 4; n++) await host.work(`topic-${n}`, 4, 6_000);
	const replies = Array.from({ length: 40 }, () => () => fauxAssistantMessage("noted"));
	await host.play("done?", replies);
}

test("an idle cache is let go where a commit free of a cold one costs less than keeping it", async () => {
	await using sandbox = new Sandbox();
	const { host, chances } = await hostOn(sandbox, 10.2, 1_500);
	await fill(host);
	const stopped = () => expect(host.session.cacheWarmingStatus?.reason).toBe("stopped by extension");
	await vi.waitFor(stopped, { timeout: 30_000 });
	expect(chances.at(-1)).toBe(0.15);
	expect(host.path("usage")).toEqual([]);
	expect(host.errors).toEqual([]);
});

test("where nothing could be folded the host keeps an idle cache warm as it would alone", async () => {
	await using sandbox = new Sandbox();
	const { host } = await hostOn(sandbox, 10.2, 100_000);
	await fill(host);
	await vi.waitFor(() => expect(host.path("usage").length).toBeGreaterThan(0), { timeout: 30_000 });
	expect(host.errors).toEqual([]);
});

test("a cache kept warm before a restart is not taken for cold after it", async () => {
	await using sandbox = new Sandbox();
	vi.useFakeTimers({ toFake: ["Date"] });
	const { host, options } = await hostOn(sandbox, 600, 1_500);
	const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
	await host.ask("hello");
	pass(500);
	const usage = { input: 0, output: 1, cacheRead: 100, cacheWrite: 0, totalTokens: 101 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, totalFromProvider: false };
	host.session.sessionManager.appendUsage("cache_warm", "faux", "faux-1", { ...usage, cost });
	// has it recorded, so that the next process does not meet it as new
	await host.session.prompt("/fold-status");
	await host.quit();
	const again = stating(await sandbox.open(host.file, options), 600);
	pass(500);
	await again.ask("still there?");
	pass(700);
	await again.ask("and now?");
	await again.quit();
	const { events } = await logOf(sandbox.home, again.session.sessionId);
	const cold = events.filter(({ type }) => type === "request/prepared").map(({ data }) => data.cold);
	expect(cold).toEqual([true, false, true]);
});
