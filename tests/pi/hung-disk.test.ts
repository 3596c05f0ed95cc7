import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { DISK_SILENT } from "../../src/adapters/pi/patience.ts";
import { callFold } from "./fold-calls.ts";
import { disk } from "./held-disk.ts";
import { expectAll } from "./invariants.ts";
import { answered, folded, ON_HELD_DISK } from "./on-held-disk.ts";
import { expectHistory } from "./past-windows.ts";
import { type Host, Sandbox, type Sent } from "./sandbox.ts";
import { isFold, shared } from "./shared.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("./held-disk.ts")).disk.around(await original()),
);

afterEach(() => disk.release());

const SILENT = `Palimpsest: ${DISK_SILENT}`;

/** Requests in which the model works on. */
async function goOn(host: Host, topics: readonly string[], chars = 1_500): Promise<readonly Sent[]> {
	const from = host.requests.length;
	for (const topic of topics) await host.work(topic, 1, chars);
	return host.requests.slice(from);
}

/** Each goes on from the one before. */
function expectGrowing(windows: readonly Sent[]): void {
	for (const [index, window] of windows.slice(1).entries())
		expect(shared(windows[index] ?? [], window)).toBe(windows[index]?.length);
}

for (const behind of [0, 1, 2, 3, 5, 8]) {
	test(`when the disk hangs behind ${behind} writes requests go out as they last stood, and all is recorded once it answers`, async () => {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		const before = host.requests.at(-1) ?? [];
		disk.hold("write", behind);
		const during = await goOn(host, ["one", "two", "three"]);
		expect(disk.isStuck).toBe(true);
		expectGrowing([before, ...during]);
		expect(host.said.slice(1)).toEqual([SILENT]);
		await answered(host);
		expectGrowing([...during.slice(-1), ...(await goOn(host, ["four"]))]);
		expect(await host.fold()).toMatch(/^Palimpsest: folded/);
		await goOn(host, ["five"]);
		expect(host.said).toHaveLength(3);
		await expectAll(sandbox, host);
	});
}

test("a commit that the disk hangs before, at or behind is made once, and told once", async () => {
	for (const from of ["write", "decision", "node"] as const) {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		disk.hold(from);
		for (let n = 0; n < 4; n++) await host.work(`much-${n}`, 3, 9_000);
		expect(disk.isStuck).toBe(true);
		await answered(host);
		const said = host.said.length;
		await host.ask("and now?");
		await host.ask("and then?");
		expect(host.said.slice(1).filter((words) => words.includes("folded about"))).toHaveLength(1);
		expect(host.said.slice(said).length).toBeLessThan(2);
		await expectAll(sandbox, host);
	}
});

test("a disk that answers again in the middle of a turn takes up what it was asked in its order", async () => {
	for (const behind of [1, 13, 27]) {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		for (let round = 0; round < 2; round++) {
			disk.hold("write", behind % (7 + 20 * round));
			let n = 0;
			const call = () => {
				// nobody waits for that, and the request before it was sent without
				if (disk.isStuck && n > 2) void disk.release();
				const page = { page: `round-${round}/page-${n++}.ts`, chars: 9_000 };
				return fauxAssistantMessage(fauxToolCall("fetch", page), { stopReason: "toolUse" });
			};
			await host.play("go on", [...Array(6).fill(call), () => fauxAssistantMessage("done")]);
			await host.fold();
			void disk.release();
			await host.ask("and now?");
		}
		await answered(host);
		await host.ask("and then?");
		await expectAll(sandbox, host);
	}
});

test("a new session whose log does not open goes out raw, and is recorded from its beginning once it does", async () => {
	for (const [asked, behind] of [
		["open", 0],
		["read", 0],
		["read", 2],
		["write", 0],
		["write", 1],
	] as const) {
		await using sandbox = new Sandbox();
		disk.hold(asked, behind);
		const host = await sandbox.create(ON_HELD_DISK);
		await goOn(host, ["one", "two", "three"], 4_500);
		expect(host.said).toEqual([SILENT]);
		await answered(host);
		await goOn(host, ["four"]);
		expect(await host.fold()).toMatch(/^Palimpsest: folded/);
		expect((await host.ask("folded?")).some(isFold)).toBe(true);
		await expectAll(sandbox, host);
	}
});

test("a session whose log does not open goes out raw, and as it stood once it does", async () => {
	for (const asked of ["open", "read"] as const) {
		await using sandbox = new Sandbox();
		const first = await folded(sandbox);
		const before = first.requests.at(-1) ?? [];
		await first.quit();
		await disk.closed();
		disk.hold(asked);
		const host = await sandbox.open(first.file, ON_HELD_DISK);
		expect((await host.ask("during?")).some(isFold)).toBe(false);
		expect(host.said).toEqual([SILENT]);
		await answered(host);
		expectGrowing([before, await host.ask("after?")]);
		expect(host.errors).toEqual([]);
		// what went out raw is not what the log's decisions give, so it is not told as that
		const [, after] = host.requests;
		await expectHistory(sandbox, host, [...first.requests, ...(after ? [after] : [])]);
	}
});

test("while the disk hangs every command and the tool say so with a code, and what they were asked is not done later", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	await host.work("more", 3, 3_000);
	disk.hold("write");
	await host.ask("hello?");
	expect(host.said.slice(1)).toEqual([SILENT]);
	expect(host.status).toBe("palimpsest makes no new folds · /fold-status says why");
	const commands = ["", " pause", " off", " why e1", " undo c1", " search value", " e1"].map(
		(rest) => `/fold${rest}`,
	);
	for (const command of [...commands, "/fold-status", "/fold-editor"]) {
		const { length } = host.said;
		await host.session.prompt(command);
		expect(host.said.slice(length), command).toEqual([expect.stringContaining(DISK_SILENT)]);
	}
	for (const args of [{ action: "status" }, { action: "peek", id: "f1" }, { action: "pin", ids: ["e1"] }])
		expect((await callFold(host, args)).text, args.action).toContain(DISK_SILENT);
	const nodes = host.path("custom").length;
	await answered(host);
	const { length } = host.said;
	await host.ask("and now?");
	expect(host.path("custom")).toHaveLength(nodes);
	expect(host.said).toHaveLength(length);
	expect(host.status).toMatch(/^palimpsest .*%/);
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	await host.ask("folded");
	await expectAll(sandbox, host);
});

test("what the disk hangs before is not decided later", async () => {
	for (const behind of [0, 1]) {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		await host.session.prompt(`/fold why ${host.path("message")[3]}`);
		const undo = `/fold undo ${/Commit (\S+) folded it/.exec(host.said.at(-1) ?? "")?.[1]}`;
		await host.switchTo("faux-2");
		const nodes = host.path("custom").length;
		// the change of models is recorded, and then the price of its tokens
		disk.hold("write", behind);
		await host.session.prompt(undo);
		expect(host.said.at(-1)).toBe(SILENT);
		await answered(host);
		expect(host.path("custom")).toHaveLength(nodes);
		await host.session.prompt(undo);
		expect(host.said.at(-1)).toMatch(/^Palimpsest: took back /);
		await expectAll(sandbox, host);
	}
});

test("a decision the disk takes too late is in force if nothing came behind it, and is else told not to be", async () => {
	for (const goesOn of [false, true]) {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		await host.work("more", 3, 3_000);
		disk.hold("write");
		expect(await host.fold()).toBe(SILENT);
		const nodes = host.path("custom").length;
		if (goesOn) await host.ask("meanwhile?");
		await answered(host);
		await host.ask("and now?");
		expect(host.path("custom")).toHaveLength(goesOn ? nodes : nodes + 1);
		const told = host.said.slice(2).filter((words) => words.includes("the session went on"));
		expect(told).toHaveLength(goesOn ? 1 : 0);
		await host.ask("and then?");
		await expectAll(sandbox, host);
	}
});

test("what stands above is raw in another branch while the disk hangs, and every branch is recorded", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	const [first] = host.path("message");
	disk.hold("write");
	await host.ask("here?");
	const end = host.session.sessionManager.getLeafId() ?? "";
	await host.session.navigateTree(host.path("message")[5] ?? first ?? "");
	expect((await host.ask("above the folds")).some(isFold)).toBe(false);
	await host.session.navigateTree(end);
	expect((await host.ask("back")).some(isFold)).toBe(true);
	await answered(host);
	await host.ask("and now?");
	await expectAll(sandbox, host);
});

test("a session ends while the disk hangs, and what it was asked is done once the disk answers", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.hold("write");
	await goOn(host, ["one", "two"]);
	await host.quit();
	await disk.release();
	await disk.closed();
	await expectAll(sandbox, host);
});

test("a session that is loaded again while the disk hangs goes on with the same log once it answers", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.hold("write");
	await host.ask("before the reload");
	await host.session.reload();
	await host.ask("behind the reload");
	await answered(host);
	const after = await host.ask("and now?");
	expect(after.some(isFold)).toBe(true);
	expect(host.said.join("\n")).not.toContain("open elsewhere");
	expect((await host.work("more", 3, 3_000)).some(isFold)).toBe(true);
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	await host.quit();
	expect(host.errors).toEqual([]);
});

test("while the disk hangs the host compacts once the window no longer fits, and meets refusals", async () => {
	await using sandbox = new Sandbox();
	const compaction = { reserveTokens: 2_000, keepRecentTokens: 2_000 };
	const host = await sandbox.create({ ...ON_HELD_DISK, compaction, after: [summarise] });
	for (let n = 0; n < 4; n++) await host.work(`topic-${n}`, 3, 3_000);
	await host.fold();
	await host.ask("before?");
	disk.hold("write");
	await host.work("more", 2, 6_000);
	expect(host.path("compaction")).toEqual([]);
	for (let n = 0; n < 12 && host.path("compaction").length === 0; n++) await host.work(`much-${n}`, 3, 9_000);
	expect(host.path("compaction").length).toBeGreaterThan(0);
	const errorMessage = "prompt is too long: 2 tokens > 1 maximum";
	const tooLong = () => fauxAssistantMessage("", { stopReason: "error", errorMessage });
	await host.play("go on", [tooLong, () => fauxAssistantMessage("done")]);
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
	await answered(host);
	await host.ask("and now?");
	expect(host.errors).toEqual([]);
});

/** Summarises in the host's place, which would ask the scripted model. */
function summarise(pi: ExtensionAPI): void {
	pi.on("session_before_compact", ({ preparation: { tokensBefore, firstKeptEntryId } }) => ({
		compaction: { summary: `summary up to ${firstKeptEntryId}`, firstKeptEntryId, tokensBefore },
	}));
}
