import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { DISK_SILENT } from "../../src/adapters/pi/patience.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { LARGE, large, readWhole, removeFiles } from "./bash-output.ts";
import { callFold } from "./fold-calls.ts";
import { disk } from "./held-disk.ts";
import { expectAll } from "./invariants.ts";
import { answered, folded, ON_HELD_DISK } from "./on-held-disk.ts";
import { pastRequests } from "./past-windows.ts";
import { type Host, Sandbox, type Sent } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("./held-disk.ts")).disk.around(await original()),
);

afterEach(() => disk.release());
afterEach(removeFiles);

const SILENT = `Palimpsest: ${DISK_SILENT}`;

test("a session that is loaded again twice while the disk hangs goes on with its own log once it answers", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.hold("write");
	await host.ask("before the reload");
	await host.session.reload();
	await host.ask("behind the reload");
	await host.session.reload();
	await host.ask("behind the second");
	await answered(host);
	expect((await host.ask("and now?")).some(isFold)).toBe(true);
	expect(host.said.join("\n")).not.toContain("open elsewhere");
	await host.work("more", 3, 3_000);
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	await host.quit();
	expect(host.errors).toEqual([]);
});

test("a second silence of the disk is told as the first was", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.hold("write");
	await host.ask("one?");
	await host.ask("two?");
	expect(host.said.slice(1)).toEqual([SILENT]);
	await answered(host);
	await host.work("more", 3, 3_000);
	disk.hold("write");
	const { length } = host.said;
	await host.session.prompt("/fold");
	await host.ask("three?");
	expect(host.said.slice(length)).toEqual([SILENT]);
	await answered(host);
	await expectAll(sandbox, host);
});

test("a /fold the disk takes late is told once it is in force", async () => {
	for (const from of ["write", "decision", "node"] as const) {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		await host.work("more", 3, 3_000);
		disk.hold(from);
		const nodes = host.path("custom").length;
		const { length } = host.said;
		await host.session.prompt("/fold");
		expect(host.said.slice(length)).toEqual([SILENT]);
		await answered(host);
		await host.ask("and now?");
		await host.ask("and then?");
		expect(host.path("custom")).toHaveLength(nodes + 1);
		const told = host.said.slice(length + 1);
		expect(told, from).toEqual([expect.stringContaining("folded about")]);
		await expectAll(sandbox, host);
	}
});

test("a stretch folded late is told once it is in force", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	await host.work("more", 3, 3_000);
	disk.hold("decision");
	const { length } = host.said;
	await host.session.prompt(`/fold ${host.path("message").at(-3)}`);
	expect(host.said.slice(length)).toEqual([SILENT, SILENT]);
	await answered(host);
	await host.ask("and now?");
	expect(host.said.slice(length + 2)).toEqual([expect.stringContaining("folded about")]);
	await expectAll(sandbox, host);
});

test("a /fold that comes into force with what was asked next is told too", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	const { text } = await callFold(host, { action: "pin", ids: [host.path("message").at(-2) ?? ""] });
	await host.work("more", 3, 3_000);
	disk.hold("decision");
	await host.session.prompt("/fold");
	await host.session.reload();
	const nodes = host.path("custom").length;
	await answered(host);
	const { length } = host.said;
	await host.session.prompt(`/fold undo ${/Done \((\S+)\)/.exec(text)?.[1]}`);
	expect(host.path("custom")).toHaveLength(nodes + 1);
	expect(host.said.slice(length)).toEqual([
		expect.stringContaining("folded about"),
		expect.stringContaining("UNDO_HAS_DEPENDENTS"),
	]);
	await host.ask("and now?");
	await expectAll(sandbox, host);
});

test("a /fold that finds an undo of a pin not in force yet folded nothing by that", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	const { text } = await callFold(host, { action: "pin", ids: [host.path("message").at(-2) ?? ""] });
	await host.session.prompt("/fold");
	expect(host.said.at(-1)).toBe("Palimpsest: nothing is foldable yet");
	disk.hold("decision");
	await host.session.prompt(`/fold undo ${/Done \((\S+)\)/.exec(text)?.[1]}`);
	await host.session.reload();
	const nodes = host.path("custom").length;
	await disk.release();
	await answered(host);
	await host.session.prompt("/fold");
	expect(host.said.at(-1)).toBe("Palimpsest: nothing is foldable yet");
	expect(host.path("custom")).toHaveLength(nodes + 1);
	await host.ask("and now?");
	expect(host.errors).toEqual([]);
});

test("requests that went out before the log opened are counted once", async () => {
	for (const [asked, behind] of [
		["open", 0],
		["read", 0],
		["write", 0],
	] as const) {
		await using sandbox = new Sandbox();
		disk.hold(asked, behind);
		const host = await sandbox.create(ON_HELD_DISK);
		for (const topic of ["one", "two", "three"]) await host.work(topic, 1, 1_500);
		await answered(host);
		await host.ask("four");
		await host.quit();
		await disk.closed();
		const directory = join(sandbox.home, "sessions", host.session.sessionId);
		await using store = await openStore({ directory, registry: REGISTRY });
		const { states } = await pastRequests(store);
		expect(states.ledger, asked).toMatchObject({ requests: host.requests.length, unseen: 0 });
	}
});

for (const isUndone of [false, true]) {
	const end = isUndone ? "an undo of both" : "both";
	test(`while the disk hangs the first of two commits stands where it did, and so does ${end}`, async () => {
		await using sandbox = new Sandbox();
		const host = await folded(sandbox);
		const first = await host.ask("below the first");
		const commits = [await commitOver(host)];
		const between = host.path("message").at(-1) ?? "";
		await host.work("more", 3, 3_000);
		expect(await host.fold()).toMatch(/^Palimpsest: folded/);
		const second = await host.ask("below both");
		const below = host.path("message").at(-1) ?? "";
		commits.push(await commitOver(host));
		await host.session.prompt("/fold pause");
		if (isUndone) await host.session.prompt(`/fold undo ${commits.join(" ")}`);
		const last = await host.ask("below all");
		expect(last.some(isFold)).toBe(!isUndone);
		disk.hold("write");
		expectToGrow(last, await host.ask("below all, hung"));
		await host.session.navigateTree(between);
		expectToGrow(first, await host.ask("below the first, hung"));
		await host.session.navigateTree(below);
		expectToGrow(second, await host.ask("below both, hung"));
		await answered(host);
		await host.ask("and now?");
		await expectAll(sandbox, host);
	});
}

function expectToGrow(before: Sent, after: Sent): void {
	expect(shared(before, after)).toBe(before.length);
}

/** The commit that has one of the first messages folded. */
async function commitOver(host: Host): Promise<string> {
	await host.session.prompt(`/fold why ${host.path("message")[3]}`);
	return /Commit (\S+) folded it/.exec(host.said.at(-1) ?? "")?.[1] ?? "";
}

test("where the leaf went while the disk hung is told of moves of the user's alone", async () => {
	for (const asked of ["open", "write"] as const) {
		await using sandbox = new Sandbox();
		if (asked === "open") disk.hold(asked);
		const host = asked === "open" ? await sandbox.create(ON_HELD_DISK) : await folded(sandbox);
		disk.hold(asked);
		await host.work("one", 1, 1_500);
		await host.work("two", 1, 1_500);
		const [, , leaf = ""] = host.path("message");
		await host.session.navigateTree(leaf);
		await host.work("three", 1, 1_500);
		await answered(host);
		await host.ask("four");
		await host.quit();
		await disk.closed();
		const { events } = await logOf(sandbox.home, host.session.sessionId);
		const moves = events.filter(({ type }) => type === "session/leafMoved");
		expect(moves, asked).toMatchObject([{ data: { leaf } }]);
	}
});

test("a command's output that comes while a decision waits for the disk is kept whole", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	await host.work("more", 3, 3_000);
	disk.hold("decision");
	await host.session.prompt("/fold");
	await host.session.executeBash(LARGE, undefined, {});
	const own = host.session.sessionManager.getLeafId() ?? "";
	await answered(host);
	await host.ask("did you see?");
	expect(await readWhole(host, own)).toContain(large);
	await expectAll(sandbox, host);
});
