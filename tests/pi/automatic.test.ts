import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import type { Settings } from "../../projections/rules.ts";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { Log } from "../../src/store/log.ts";
import { expectHistory } from "./past-windows.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox, type Sent } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

afterEach(() => vi.restoreAllMocks());

const policy = (name: Settings["policy"]): Settings => ({ ...QUICK_SETTINGS, policy: name });

/** The host would compact at 38,000 tokens; ours may hold 36,000. */
const COMPACTION = { reserveTokens: 2_000, keepRecentTokens: 2_000 };

async function long(host: Host, topics: number, from = 0): Promise<void> {
	for (let n = from; n < from + topics; n++) await host.work(`topic-${n}`, 4, 6_000);
}

/** What the provider billed for a window, by the scripted provider's own rule: a quarter of its characters. */
function billed(window: Sent): number {
	return window.reduce((sum, message) => sum + message.length / 4, 0);
}

for (const name of ["economic", "band"] as const) {
	test(`under ${name} a long session folds by itself, stays in its budget, and every request can be rebuilt`, async () => {
		await using sandbox = new Sandbox();
		const host = await sandbox.create({ settings: policy(name), models: BILLED, compaction: COMPACTION });
		await long(host, 12);
		expect(host.errors).toEqual([]);
		expect(host.path("compaction")).toEqual([]);
		expect(Math.max(...host.requests.map(billed))).toBeLessThan(36_000);
		expect(host.said.length).toBeGreaterThan(0);
		for (const sentence of host.said)
			expect(sentence).toMatch(
				/^Palimpsest: folded about [\d,]+ tokens .* now; .* again, for about \$[\d.]+; every later request saves about \$[\d.]+; so far \$[\d.]+, where Pi's own compaction would have made it \$[\d.]+$/,
			);
		expect(host.path("custom")).toHaveLength(host.said.length);
		const past = await expectHistory(sandbox, host);
		expect(past.filter(({ change }) => change === "commit")).toHaveLength(host.said.length);
		const { events } = await logOf(sandbox.home, host.session.sessionId);
		const measured = events.filter(({ type }) => type === "request/measured");
		expect(measured.map(({ data }) => data.request)).toEqual(past.map((_, n) => n + 1));
		expect(measured.filter(({ data }) => !data.appended)).toHaveLength(host.said.length + 1);
	});
}

test("estimates of the prompt come near what the provider counts", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ settings: policy("band"), models: BILLED, compaction: COMPACTION });
	await long(host, 8);
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const estimates = events.flatMap(({ type, data }) =>
		type === "request/prepared" ? [Number(data.tokens)] : [],
	);
	const counted = events.flatMap(({ type, data }) =>
		type === "request/measured"
			? [Number(data.input) + Number(data.cacheRead) + Number(data.cacheWrite)]
			: [],
	);
	expect(counted).toHaveLength(estimates.length);
	for (const [index, tokens] of counted.entries()) {
		if (index < 3) continue;
		expect((estimates[index] ?? 0) / tokens).toBeGreaterThan(0.8);
		expect((estimates[index] ?? 0) / tokens).toBeLessThan(1.25);
	}
});

test("after a restart the window goes on from its last bytes, and folding goes on", async () => {
	await using sandbox = new Sandbox();
	const options = { settings: policy("band"), models: BILLED, compaction: COMPACTION };
	const host = await sandbox.create(options);
	await long(host, 6);
	const before = host.requests.at(-1) ?? [];
	expect(before.some(isFold)).toBe(true);
	await host.quit();
	const again = await sandbox.open(host.file, options);
	await again.ask("go on");
	expect(shared(before, again.requests[0] ?? [])).toBe(before.length);
	const commits = host.said.length;
	await long(again, 6, 6);
	expect(again.path("custom").length).toBeGreaterThan(commits);
	expect(again.errors).toEqual([]);
	await expectHistory(sandbox, again, [...host.requests, ...again.requests]);
});

test("a switch of models changes prices and budget from the next request on", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ settings: policy("band"), models: BILLED, compaction: COMPACTION });
	await long(host, 4);
	const requests = host.requests.length;
	await host.switchTo("faux-2");
	await long(host, 4, 4);
	expect(host.errors).toEqual([]);
	expect(Math.max(...host.requests.slice(requests).map(billed))).toBeLessThan(27_000);
	await expectHistory(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const models = events.filter(({ type }) => type === "valuation/changed").map(({ data }) => data.model);
	expect(models).toHaveLength(2);
	const prepared = events.filter(({ type }) => type === "request/prepared").map(({ data }) => data.model);
	expect(prepared).toEqual(host.requests.map((_, n) => models[n < requests ? 0 : 1]));
});

const summariser = (pi: ExtensionAPI) => {
	pi.on("session_before_compact", ({ reason, preparation: { tokensBefore, firstKeptEntryId } }) => {
		if (reason !== "manual") return undefined;
		return { compaction: { summary: "what came before", firstKeptEntryId, tokensBefore } };
	});
};

test("after a compaction of the host's only what it shows is counted, and folding goes on below it", async () => {
	await using sandbox = new Sandbox();
	const settings = policy("band");
	const host = await sandbox.create({
		settings,
		models: BILLED,
		compaction: COMPACTION,
		after: [summariser],
	});
	await long(host, 6);
	expect(host.said.length).toBeGreaterThan(0);
	await host.session.compact();
	const start = host.requests.length;
	await host.ask("what now?");
	expect(billed(host.requests[start] ?? [])).toBeLessThan(8_000);
	const said = host.said.length;
	await long(host, 2, 6);
	expect(host.said).toHaveLength(said);
	await long(host, 6, 8);
	expect(host.said.length).toBeGreaterThan(said);
	expect(host.errors).toEqual([]);
	const past = await expectHistory(sandbox, host);
	expect(past.map(({ change }) => change)).toContain("compaction");
	expect(past[start]?.tokens).toBeLessThan(8_000);
});

test("with the policy off nothing is folded, and the host compacts as it would alone", async () => {
	await using sandbox = new Sandbox();
	const summarise = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ preparation: { tokensBefore, firstKeptEntryId } }) => ({
			compaction: { summary: "what came before", firstKeptEntryId, tokensBefore },
		}));
	};
	const options = { settings: policy("off"), models: BILLED, compaction: COMPACTION, after: [summarise] };
	const host = await sandbox.create(options);
	await long(host, 8);
	expect(host.said).toEqual([]);
	expect(host.path("custom")).toEqual([]);
	expect(host.path("compaction").length).toBeGreaterThan(0);
	await expectHistory(sandbox, host);
});

test("a threshold the host alone would compact at is let pass while our window fits", async () => {
	await using sandbox = new Sandbox();
	const reasons: string[] = [];
	const summarise = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ reason, preparation: { tokensBefore, firstKeptEntryId } }) => {
			reasons.push(reason);
			return { compaction: { summary: "what came before", firstKeptEntryId, tokensBefore } };
		});
	};
	const compaction = { reserveTokens: 20_000, keepRecentTokens: 2_000 };
	const options = { settings: policy("band"), models: BILLED, compaction, before: [summarise] };
	const host = await sandbox.create(options);
	await long(host, 8);
	expect(reasons.length).toBeGreaterThan(1);
	expect(new Set(reasons)).toEqual(new Set(["threshold"]));
	expect(host.said.filter((words) => words.includes("Pi asked to compact"))).toEqual([
		"Palimpsest: Pi asked to compact; the window fits as folded, so nothing is compacted",
	]);
	expect(host.path("compaction")).toEqual([]);
	expect(host.errors).toEqual([]);
});

test("a threshold is let pass, too, where one result alone is over the window: it is clipped once it is refused", async () => {
	await using sandbox = new Sandbox();
	const models = BILLED.map((model) => ({ ...model, contextWindow: 60_000 }));
	const compaction = { reserveTokens: 20_000, keepRecentTokens: 2_000 };
	const host = await sandbox.create({
		settings: policy("economic"),
		models,
		compaction,
		before: [summariser],
	});
	await long(host, 2);
	const refused = { stopReason: "error", errorMessage: "prompt is too long: 2 tokens > 1 maximum" } as const;
	await host.play("read all of it", [
		() =>
			fauxAssistantMessage([fauxToolCall("fetch", { page: "huge", chars: 400_000 })], {
				stopReason: "toolUse",
			}),
		() => fauxAssistantMessage("", refused),
		() => fauxAssistantMessage("read"),
	]);
	expect(host.path("compaction")).toEqual([]);
	expect(billed(host.requests.at(-1) ?? [])).toBeLessThan(54_000);
	expect(host.said.some((words) => words.includes("refused the request as too large"))).toBe(true);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("where the policy folds nothing an overflow is left to the host, which compacts and asks again", async () => {
	await using sandbox = new Sandbox();
	const summarise = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ reason, preparation: { tokensBefore, firstKeptEntryId } }) => {
			if (reason === "overflow")
				return { compaction: { summary: "what came before", firstKeptEntryId, tokensBefore } };
			return undefined;
		});
	};
	const options = { settings: policy("off"), models: BILLED, compaction: COMPACTION, after: [summarise] };
	const host = await sandbox.create(options);
	await long(host, 3);
	await host.play("too much", [
		() =>
			fauxAssistantMessage("", {
				stopReason: "error",
				errorMessage: "prompt is too long: 2 tokens > 1 maximum",
			}),
		() => fauxAssistantMessage("now it fits"),
	]);
	expect(host.path("compaction")).toHaveLength(1);
	expect(host.requests.at(-1)?.length).toBeLessThan(host.requests.at(-2)?.length ?? 0);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("a commit the disk does not confirm in time is not applied, and comes at the next request", async () => {
	await using sandbox = new Sandbox();
	const disk = Promise.withResolvers<void>();
	const late: number[] = [];
	const { append } = Log.prototype;
	vi.spyOn(Log.prototype, "append").mockImplementation(async function (this: Log, ...args) {
		if (args[3]?.sync && late.push(host.requests.length) === 1) await disk.promise;
		return append.apply(this, args);
	});
	const confirm = (pi: ExtensionAPI) => {
		pi.on("context_with_system", () => {
			if (late.length > 0) disk.resolve();
		});
	};
	const options = { settings: policy("calm"), models: BILLED, compaction: COMPACTION, after: [confirm] };
	const host = await sandbox.create(options);
	for (const topic of ["alpha", "beta"]) await host.work(topic, 4, 5_000);
	await host.switchTo("faux-2");
	await host.work("gamma", 2, 600);
	expect(host.requests.findIndex((window) => window.some(isFold))).toBe((late[0] ?? 0) + 1);
	expect(host.said).toHaveLength(1);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const triggers = events.filter(({ type }) => type === "commit/applied").map(({ data }) => data.trigger);
	expect(triggers).toEqual(["cold", "cold"]);
	const again = await sandbox.open(host.file, options);
	expect((await again.ask("still folded?")).some(isFold)).toBe(true);
	expect(again.said).toEqual([]);
});

test("where nothing can be folded in time, the host compacts at its threshold", async () => {
	await using sandbox = new Sandbox();
	const reasons: string[] = [];
	const summarise = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ reason, preparation: { tokensBefore, firstKeptEntryId } }) => {
			reasons.push(reason);
			return { compaction: { summary: "what came before", firstKeptEntryId, tokensBefore } };
		});
	};
	const options = { settings: policy("band"), models: BILLED, compaction: COMPACTION, after: [summarise] };
	const host = await sandbox.create(options);
	await host.ask("hello");
	await host.ask("a word of many. ".repeat(10_000));
	await host.ask("and then?");
	expect(reasons[0]).toBe("threshold");
	expect(host.path("compaction").length).toBeGreaterThan(0);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("unless told otherwise a model with a price is folded economically, and one without calmly", async () => {
	await using sandbox = new Sandbox();
	const free = { id: "free", contextWindow: 40_000 };
	const host = await sandbox.host(SessionManager.create(sandbox.dir, sandbox.sessions), {
		models: [...BILLED, free],
		engine: (pi) => registerPalimpsest(pi),
	});
	for (const id of ["faux-1", "free", "free", "faux-2"]) {
		await host.switchTo(id);
		await host.ask(`hello ${id}`);
	}
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const settings = events.filter(({ type }) => type === "session/settingsChanged");
	expect(settings.map(({ data }) => data.policy)).toEqual(["economic", "calm", "economic"]);
});
