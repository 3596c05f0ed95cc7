import { chmodSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { afterEach, expect, test, vi } from "vitest";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import { callFold } from "./fold-calls.ts";
import { disk } from "./full-disk.ts";
import { idOf, typeRecall } from "./recall-calls.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("./full-disk.ts")).disk.around(await original()),
);

afterEach(() => {
	disk.isFull = false;
});

const TOOLS = ["fetch", "pi_fold_context"];

const BACK = "Palimpsest: the store of this session can be used again, and folding goes on as before";

async function folded(sandbox: Sandbox): Promise<Host> {
	const host = await sandbox.create({ tools: TOOLS });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	return host;
}

test("a disk that is full ends folding until there is room again, and no window moves for that", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	const before = await host.ask("before?");
	const { length } = host.said;
	disk.isFull = true;
	const during = await host.work("epsilon");
	const still = await host.work("zeta");
	expect(host.said.slice(length)).toEqual([
		expect.stringMatching(
			/^Palimpsest: STORE_WRITE_FAILED: .*No space left.*; its folds stand, and no new ones/,
		),
	]);
	disk.isFull = false;
	const after = await host.ask("room?");
	expect(shared(before, during)).toBe(before.length);
	expect(shared(during, still)).toBe(during.length);
	expect(shared(still, after)).toBe(still.length);
	expect(host.said.slice(length + 1)).toEqual([BACK]);
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	const anew = await host.ask("folded anew?");
	await host.quit();
	const again = await sandbox.open(host.file);
	expect(shared(anew, await again.ask("opened later?"))).toBe(anew.length);
	expect(again.said).toEqual([]);
	await again.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	expect(events.filter(({ type }) => type === "commit/applied")).toHaveLength(2);
});

test("while a disk is full what was said is found, also since, and by the index once there is room", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.isFull = true;
	await host.ask("a mongoose came meanwhile");
	for (const [query, said] of [
		["mongoose kind:user", "a mongoose"],
		['"beta/page-1.ts line 3" kind:tool_result', "beta/page-1.ts line 3"],
	] as const) {
		const answer = await typeRecall(host, query);
		expect(answer).toMatch(/^1 entry found, best first/);
		expect(answer).toContain(`[entry ${idOf(host, said)}]`);
	}
	disk.isFull = false;
	await host.ask("room?");
	expect(host.said.at(-1)).toBe(BACK);
	expect(await typeRecall(host, "mongoose kind:user")).toMatch(/^1 entry found, best first\n/);
	expect(host.errors).toEqual([]);
});

test("a command of the user's has a store tried again at once, and the model reads back meanwhile", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.isFull = true;
	await host.ask("during?");
	const { text } = await callFold(host, { action: "status" });
	expect(text).toContain("STORE_UNAVAILABLE");
	const [, id = ""] =
		/"id":"([fg]\d[\w-]*)"/.exec((await callFold(host, { action: "status", detail: "folds" })).text) ?? [];
	expect((await callFold(host, { action: "peek", id })).text).toContain("alpha/page-0.ts");
	const { length } = host.said;
	expect(await host.fold()).toMatch(/nothing was folded: STORE_/);
	disk.isFull = false;
	await host.session.prompt("/fold-status");
	expect(host.said.slice(length + 1)).toEqual([BACK, expect.not.stringContaining("STORE_")]);
	await vi.waitFor(() => expect(host.status).not.toContain("no new folds"), { timeout: 5_000 });
});

test("by itself a long run of the model's tries a store again too, and folds when it can", async () => {
	await using sandbox = new Sandbox();
	let now = 0;
	const clock = {
		now: () => now,
		pause: () => new Promise<void>((resolve) => setTimeout(resolve, 5_000).unref()),
	};
	const { registerEngine } = await import("../../src/adapters/pi/register.ts");
	const settings = { ...QUICK_SETTINGS, policy: "band" as const };
	const host = await sandbox.create({
		models: BILLED,
		engine: (pi) => registerEngine(pi, () => settings, { clock }),
	});
	await host.work("alpha");
	disk.isFull = true;
	const page = (n: number) => () =>
		fauxAssistantMessage(fauxToolCall("fetch", { page: `long/page-${n}.ts`, chars: 6_000 }), {
			stopReason: "toolUse",
		});
	const room = () => {
		disk.isFull = false;
		return page(2)();
	};
	const later = () => {
		now += 30_000;
		return page(9)();
	};
	await host.play("go on", [
		page(0),
		page(1),
		room,
		page(3),
		later,
		page(4),
		() => fauxAssistantMessage("done"),
	]);
	expect(host.said.filter((said) => said === BACK)).toHaveLength(1);
	for (let n = 0; n < 14; n++) await host.work(`topic-${n}`, 4, 6_000);
	expect(host.path("custom").length).toBeGreaterThan(0);
	expect(host.errors).toEqual([]);
});

test("a session that was open elsewhere takes its store over once that one is closed", async () => {
	await using sandbox = new Sandbox();
	const first = await folded(sandbox);
	const second = await sandbox.open(first.file, { tools: TOOLS });
	const beside = await second.ask("who is there?");
	for (const [command, words] of [
		["pause", "nothing was changed: STORE_LOCKED: this session is open elsewhere"],
		["resume", "nothing was changed: STORE_LOCKED: this session is open elsewhere"],
	]) {
		await second.session.prompt(`/fold ${command}`);
		expect(second.said.at(-1)).toBe(`Palimpsest: ${words}`);
	}
	const refused = await callFold(second, { action: "pin", ids: [second.path("message")[0] ?? ""] });
	expect(refused.text).toMatch(/^STORE_LOCKED: .* what works: pi_fold_context \{"action":"peek"/);
	const meanwhile = second.path("message").at(-2);
	await first.quit();
	const { length } = second.said;
	const alone = await second.ask("alone now?");
	expect(shared(beside, alone)).toBe(beside.length);
	expect(second.said.slice(length)).toEqual([BACK]);
	for (const topic of ["epsilon", "zeta"]) await second.work(topic);
	expect(await second.fold()).toMatch(/^Palimpsest: folded/);
	expect((await second.ask("and?")).filter(isFold).length).toBeGreaterThan(0);
	expect(second.errors).toEqual([]);
	await second.quit();
	const { events } = await logOf(sandbox.home, second.session.sessionId);
	// what a cache holds is known by the last request that went out meanwhile
	const sent = events.filter(({ type }) => type === "request/prepared").map(({ data }) => data.leaf);
	expect(sent).toContain(meanwhile);
});

/** Ways in which the system keeps a session from its store. */
const BARRIERS: Readonly<Record<string, (home: string, store: string) => void>> = {
	"a file lies at the store's place": (_home, store) => {
		rmSync(store, { recursive: true });
		writeFileSync(store, "x");
	},
	"a file lies at home's place": (home) => {
		rmSync(home, { recursive: true });
		writeFileSync(home, "x");
	},
	"a file lies at the database's place": (_home, store) => {
		rmSync(join(store, "level"), { recursive: true });
		writeFileSync(join(store, "level"), "x");
	},
	"the witness is a folder": (_home, store) => {
		rmSync(join(store, "witness"));
		mkdirSync(join(store, "witness"));
	},
};

for (const [what, bar] of Object.entries(BARRIERS)) {
	test(`where ${what} the folds stand as they did, and are shown with the trouble`, async () => {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		const before = await host.ask("before?");
		const fold = host.path("custom").length;
		await host.quit();
		const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
		bar(sandbox.home, store);
		const again = await sandbox.open(host.file, { tools: TOOLS });
		expect(shared(before, await again.ask("next?"))).toBe(before.length);
		// what lies in memory's way, too, is told by itself
		const ofSession = again.said.filter((text) => !text.includes("what is remembered"));
		expect(ofSession).toEqual([
			expect.stringMatching(
				/^Palimpsest: STORE_(UNAVAILABLE|DAMAGED): .*; its folds stand, and no new ones are made/,
			),
		]);
		for (const text of again.said) expect(text).toMatch(/STORE_(UNAVAILABLE|DAMAGED)/);
		for (const command of ["/fold-status", "/fold-editor", "/fold why c1"]) {
			await again.session.prompt(command);
			expect(again.said.at(-1), command).not.toMatch(/^Palimpsest: STORE_/);
		}
		expect(again.path("custom")).toHaveLength(fold);
		expect(again.errors).toEqual([]);
	});
}

/** Empties every file in a folder and below it. */
function emptyFiles(directory: string): void {
	for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }))
		if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), "");
}

for (const what of ["whole database", "end of the log"] as const) {
	test(`/fold repair mends a store of which the ${what} is lost, and no window moves for that`, async () => {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		const before = await host.ask("before?");
		await host.session.prompt("/fold repair");
		expect(host.said.at(-1)).toBe("Palimpsest: the store of this session needs no repair");
		await host.quit();
		const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
		if (what === "whole database") emptyFiles(store);
		else
			for (const name of readdirSync(join(store, "level")))
				if (/log$|ldb$/.test(name)) truncateSync(join(store, "level", name), 4_000);
		const again = await sandbox.open(host.file);
		const damaged = await again.ask("damaged?");
		expect(shared(before, damaged)).toBe(before.length);
		expect(again.said).toEqual([
			expect.stringMatching(/^Palimpsest: STORE_DAMAGED: .*, which \/fold repair mends: .*; its folds stand/),
		]);
		await again.session.prompt("/fold repair");
		expect(again.said.slice(1)).toEqual([
			BACK,
			expect.stringMatching(/^Palimpsest: the store was started anew with .* kept as .*damaged-1$/),
		]);
		expect(shared(damaged, await again.ask("mended?"))).toBe(damaged.length);
		expect(await again.fold()).toMatch(/^Palimpsest: folded|nothing is foldable/);
		await again.quit();
		expect((await verifyDirectory(store)).damage).toEqual([]);
	});
}

test.skipIf(process.getuid?.() === 0)(
	"where a store may not be entered the folds stand as they did",
	async () => {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		const before = await host.ask("before?");
		await host.quit();
		const store = join(sandbox.home, "sessions");
		chmodSync(store, 0);
		const again = await sandbox.open(host.file);
		expect(shared(before, await again.ask("next?"))).toBe(before.length);
		chmodSync(store, 0o700);
		await again.ask("and now?");
		expect(again.said).toEqual([expect.stringContaining("STORE_UNAVAILABLE"), BACK]);
	},
);
