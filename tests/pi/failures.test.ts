import { rmSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { WindowLayout } from "../../src/adapters/pi/window-layout.ts";
import { Engine } from "../../src/engine/engine.ts";
import { SentWindows } from "../../src/engine/sent-windows.ts";
import { Log } from "../../src/store/log.ts";
import { BILLED, type Host, type HostOptions, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { isFold, shared } from "./shared.ts";

afterEach(() => vi.restoreAllMocks());

const SETTINGS = { ...QUICK_SETTINGS, policy: "band" as const };

/** The host would compact at 38,000 tokens; ours may hold 36,000. */
const COMPACTION = { reserveTokens: 2_000, keepRecentTokens: 2_000 };

const OPTIONS: HostOptions = {
	settings: SETTINGS,
	models: BILLED,
	compaction: COMPACTION,
	after: [summarise],
};

/** Summarises in the host's place, which would ask the scripted model. */
function summarise(pi: ExtensionAPI): void {
	pi.on("session_before_compact", ({ preparation: { tokensBefore, firstKeptEntryId } }) => ({
		compaction: { summary: `summary up to ${firstKeptEntryId}`, firstKeptEntryId, tokensBefore },
	}));
}

async function folded(sandbox: Sandbox, options = OPTIONS): Promise<Host> {
	const host = await sandbox.create(options);
	for (let n = 0; n < 4; n++) await host.work(`topic-${n}`, 3, 3_000);
	await host.fold();
	return host;
}

const fails = (words: string) => () => {
	throw new Error(words);
};

/** Ways in which something of ours, or under it, goes wrong from one moment on. */
const FAILURES: Readonly<Record<string, (sandbox: Sandbox) => void>> = {
	"the disk is full": () =>
		vi.spyOn(Log.prototype, "append").mockRejectedValue(new Error("no space is left")),
	"the store is gone": ({ home }) => rmSync(join(home, "sessions"), { recursive: true, force: true }),
	"an entry cannot be decoded": () =>
		vi.spyOn(Engine.prototype, "entry").mockImplementation(fails("no JSON")),
	"an entry cannot be recorded": () =>
		vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("a bug")),
	"a decision goes wrong": () => vi.spyOn(Engine.prototype, "commitIfDue").mockImplementation(fails("a bug")),
	"a request cannot be recorded": () =>
		vi.spyOn(SentWindows.prototype, "prepare").mockRejectedValue(new Error("a bug")),
	"a bill cannot be recorded": () =>
		vi.spyOn(SentWindows.prototype, "measure").mockRejectedValue(new Error("a bug")),
	"a window cannot be laid out": () =>
		vi.spyOn(WindowLayout.prototype, "slotsOf").mockImplementation(fails("a bug")),
};

for (const [what, fail] of Object.entries(FAILURES)) {
	test(`when ${what} the last window stays in force with new entries raw, and is told once`, async () => {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		const before = await host.ask("before?");
		const said = host.said.length;
		fail(sandbox);
		let last = before;
		for (let n = 0; n < 4; n++) {
			const next = n % 2 === 0 ? await host.ask(`question ${n}`) : await host.work(`more-${n}`, 1, 1_500);
			expect(next.some(isFold)).toBe(true);
			expect(shared(last, next)).toBe(last.length);
			last = next;
		}
		expect(host.said.length - said).toBeLessThanOrEqual(1);
		expect(host.errors).toEqual([]);
	});
}

test("when ours fails the host compacts once the window no longer fits, and not before", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	await host.ask("before?");
	vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("a bug"));
	await host.work("more", 2, 6_000);
	expect(host.path("compaction")).toEqual([]);
	for (let n = 0; n < 12 && host.path("compaction").length === 0; n++) await host.work(`much-${n}`, 3, 9_000);
	expect(host.path("compaction").length).toBeGreaterThan(0);
	await host.ask("and now?");
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
	expect(host.errors).toEqual([]);
});

test("when ours fails an overflow goes to the host", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("a bug"));
	await host.ask("before?");
	const errorMessage = "prompt is too long: 2 tokens > 1 maximum";
	const tooLong = () => fauxAssistantMessage("", { stopReason: "error", errorMessage });
	await host.play("go on", [tooLong, () => fauxAssistantMessage("done")]);
	expect(host.path("compaction")).toHaveLength(1);
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
	expect(host.errors).toEqual([]);
});

/** The engine on a host one of whose calls throws while `broken`. */
function onBroken(call: "appendEntry" | "notify" | "settings", broken: { now: boolean }) {
	return (pi: ExtensionAPI) => {
		const check = () => {
			if (broken.now) throw new Error(`${call} is broken`);
		};
		const on = (event: string, handler: (payload: unknown, ctx: object) => unknown) =>
			pi.on(event as "turn_end", (payload, ctx) => {
				if (call !== "notify") return handler(payload, ctx) as undefined;
				const notify = (...told: Parameters<typeof ctx.ui.notify>) => {
					check();
					ctx.ui.notify(...told);
				};
				const ui = Object.assign(Object.create(ctx.ui), { notify });
				return handler(payload, Object.create(ctx, { ui: { value: ui } })) as undefined;
			});
		const appendEntry: ExtensionAPI["appendEntry"] = (...entry) => {
			if (call === "appendEntry") check();
			return pi.appendEntry(...entry);
		};
		registerEngine({ ...pi, on: on as ExtensionAPI["on"], appendEntry }, () => {
			if (call === "settings") check();
			return SETTINGS;
		});
	};
}

for (const call of ["appendEntry", "notify", "settings"] as const) {
	test(`a host whose ${call} throws gets the last window, with new entries raw`, async () => {
		await using sandbox = new Sandbox();
		const broken = { now: false };
		const host = await folded(sandbox, { ...OPTIONS, engine: onBroken(call, broken) });
		const before = await host.ask("before?");
		broken.now = true;
		let last = before;
		for (let n = 0; n < 3; n++) {
			const next = await host.work(`more-${n}`, 2, 6_000);
			expect(next.some(isFold)).toBe(true);
			if (call !== "notify") expect(shared(last, next)).toBe(last.length);
			last = next;
		}
		for (let n = 0; n < 6; n++) await host.work(`much-${n}`, 2, 12_000);
		expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
		expect(host.errors).toEqual([]);
		broken.now = false;
	});
}

/** Takes what was billed out of replies, as providers do that do not tell. */
function unbilled(pi: ExtensionAPI): void {
	pi.on("message_end", ({ message }) => {
		if (message.role !== "assistant") return undefined;
		const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
		const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
		return { message: { ...message, usage: { ...none, cost } } };
	});
}

test("a provider that tells no usage never gets a session stuck: it folds by our estimate, and nothing is compacted", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ ...OPTIONS, before: [unbilled] });
	for (let n = 0; n < 14; n++) await host.work(`topic-${n}`, 4, 6_000);
	expect(host.said.some((sentence) => sentence.includes("folded about"))).toBe(true);
	expect(Math.max(...host.requests.map((window) => window.join("").length / 4))).toBeLessThan(36_000);
	expect(host.path("compaction")).toEqual([]);
	expect(host.errors).toEqual([]);
});

for (const command of ["pause", "off"]) {
	test(`after /fold ${command} the host compacts once the window no longer fits`, async () => {
		await using sandbox = new Sandbox();
		const host = await sandbox.create(OPTIONS);
		await host.ask("hello");
		await host.session.prompt(`/fold ${command}`);
		for (let n = 0; n < 14 && host.path("compaction").length === 0; n++)
			await host.work(`topic-${n}`, 4, 6_000);
		expect(host.path("compaction").length).toBeGreaterThan(0);
		expect(host.path("custom")).toEqual([]);
		expect(host.errors).toEqual([]);
	});
}
