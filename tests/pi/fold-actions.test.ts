import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { callFold } from "./fold-calls.ts";
import { expectHistory } from "./past-windows.ts";
import { type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { textsIn } from "./shared.ts";

const tools = ["fetch", "pi_fold_context"];

async function status(host: Host, detail?: string): Promise<Record<string, unknown> & { rows: Row[] }> {
	const { text } = await callFold(host, { action: "status", ...(detail && { detail }) });
	expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
	return JSON.parse(text);
}

interface Row {
	readonly id: string;
	readonly state: string;
	readonly from: string;
	readonly to: string;
}

async function worked(sandbox: Sandbox, options = {}): Promise<Host> {
	const host = await sandbox.create({ tools, ...options });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	return host;
}

const pendingOf = async (host: Host) =>
	(await status(host, "tree")).rows.filter(({ state }) => state === "pending").map(({ id }) => id);

test("expand opens one fold in place and states the price, refold closes it, and other folds stay", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	const { rows } = await status(host, "folds");
	const fold = rows.findLast(({ id }) => id.startsWith("f"))?.id ?? "";
	const before = textsIn(await host.ask("before?"));
	expect(before.some((text) => text.includes(fold))).toBe(true);
	const opened = await callFold(host, { action: "expand", id: fold });
	expect(opened.text).toMatch(
		/^Done \(expand-\d+\): .* from about [\d,]+ to [\d,]+ tokens, .* [\d,]+ in again/,
	);
	const after = await host.ask("opened?");
	expect(textsIn(after)).toEqual(before.filter((text) => !text.includes(fold)));
	expect((await callFold(host, { action: "expand", id: fold })).text).toBe(
		"Nothing to do: it stands so already.",
	);
	expect((await callFold(host, { action: "refold", id: fold })).failed).toBe(false);
	expect(textsIn(await host.ask("closed?"))).toEqual(before);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("a fold inside a group is refused with the call that opens the group, and that call works", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	const { rows } = await status(host, "tree");
	const nested = rows.find(({ state }) => state === "nested")?.id ?? "";
	const { text, failed } = await callFold(host, { action: "expand", id: nested });
	expect(failed).toBe(true);
	expect(text).toMatch(/^FOLD_NESTED: .*; what works: pi_fold_context \{"action":"expand","id":"g/);
	const instead = JSON.parse(/pi_fold_context (\{.*\})$/.exec(text)?.[1] ?? "{}");
	expect((await callFold(host, instead)).failed).toBe(false);
	expect((await callFold(host, { action: "expand", id: nested })).failed).toBe(false);
	await expectHistory(sandbox, host);
});

test("a pinned message is raw after a commit and after it was folded, with its whole exchange", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const result = host.path("message")[3] ?? "";
	const original = host.lines().find((line) => JSON.parse(line).id === result) ?? "";
	const page = JSON.parse(original).message.content[0].text;
	expect((await callFold(host, { action: "pin", ids: [result] })).text).toMatch(/^Done \(pin-\d+\)/);
	await host.fold();
	const sent = await host.ask("there?");
	expect(sent.some((message) => message.includes(JSON.stringify(page).slice(1, -1)))).toBe(true);
	const folded = host.path("message")[6] ?? "";
	expect((await callFold(host, { action: "pin", ids: [folded] })).text).toContain("raw until unpinned");
	expect((await callFold(host, { action: "unpin", ids: [result, folded] })).text).toContain("may fold them");
	await host.work("epsilon");
	await host.fold();
	const gone = await host.ask("gone?");
	expect(gone.some((message) => message.includes(JSON.stringify(page).slice(1, -1)))).toBe(false);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("pins are refused above a quarter of the budget, and nothing is pinned then", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox, { settings: { ...QUICK_SETTINGS, inputBudget: 4_000 } });
	const { text, failed } = await callFold(host, { action: "pin", ids: host.path("message").slice(1, 12) });
	expect({ failed, text }).toMatchObject({ failed: true, text: expect.stringMatching(/^PIN_OVER_SHARE: /) });
	expect((await status(host)).pinned).toMatchObject({ entries: [] });
});

test("a brief stands word for word once its mark is folded, as often as it is given anew, and not after", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const [first = "", second = ""] = await pendingOf(host);
	expect((await callFold(host, { action: "brief", id: first, brief: "the first try" })).failed).toBe(false);
	expect(
		(await callFold(host, { action: "brief", id: first, brief: "alpha's pages hold value_6" })).failed,
	).toBe(false);
	const long = await callFold(host, { action: "brief", id: second, brief: "…" });
	expect(long.text).toMatch(/^BRIEF_INVALID: /);
	const said = "value_6 is what alpha's pages hold";
	await callFold(host, { action: "brief", id: second, brief: said });
	await host.fold();
	const texts = textsIn(await host.ask("told?")).join("\n");
	const tree = await status(host, "tree");
	expect(JSON.stringify(tree)).not.toContain("first try");
	expect(texts).toContain("value_6");
	const late = await callFold(host, { action: "brief", id: first, brief: "too late for this" });
	expect(late.text).toMatch(/^FOLD_STANDING: .*what works: pi_fold_context \{"action":"peek"/);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("a mark that was withdrawn is raw at the next commit and folded at the one after", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const [first = ""] = await pendingOf(host);
	expect((await callFold(host, { action: "unmark", ids: [first] })).failed).toBe(false);
	await host.fold();
	expect((await status(host, "tree")).rows.find(({ id }) => id === first)?.state).toBe("open");
	await host.ask("one");
	for (const topic of ["epsilon", "zeta", "eta"]) await host.work(topic);
	await host.fold();
	const { rows } = await status(host, "tree");
	expect(rows.find(({ id }) => id === first)?.state).toMatch(/standing|nested/);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("putting back what the user had folded says so, and what was folded by itself does not", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	const [users = ""] = (await status(host, "folds")).rows.map(({ id }) => id);
	expect((await callFold(host, { action: "reboundary", id: users })).text).toMatch(
		/^Done \(unmark-\d+\): the next commit heeds it, though the user had it folded\./,
	);
	const mark = (await pendingOf(host))[0] ?? "";
	expect((await callFold(host, { action: "reboundary", id: mark })).text).not.toContain("the user");
	const settings = { ...QUICK_SETTINGS, policy: "band" as const, inputBudget: 9_000 };
	const other = await sandbox.create({ tools, settings });
	for (let n = 0; n < 8; n++) await other.work(`topic-${n}`);
	const own = (await status(other, "tree")).rows.find(({ id }) => id.startsWith("f"))?.id ?? "";
	expect((await callFold(other, { action: "reboundary", id: own })).text).toMatch(
		/the next commit heeds it\./,
	);
	expect(host.errors).toEqual([]);
});

test("marks are merged and split, and cut as said at the next commit", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const marks = await pendingOf(host);
	const merged = await callFold(host, { action: "reboundary", ids: marks.slice(0, 2) });
	expect(merged.text).toMatch(/Cuts now: f1-/);
	const after = await pendingOf(host);
	expect(after[0]).toMatch(/^f1-.*~r\d+$/);
	expect(after).not.toContain(marks[0]);
	const exchanges = [host.path("message")[2] ?? "", host.path("message")[4] ?? ""];
	const split = await callFold(host, { action: "reboundary", ids: exchanges });
	expect(split.text).toMatch(/Cuts now: f1-\S+ f2-/);
	const short = await callFold(host, { action: "reboundary", ids: exchanges.slice(0, 1) });
	expect(short.text).toBe("Nothing to do: it stands so already.");
	await host.fold();
	await host.ask("cut?");
	const back = await callFold(host, {
		action: "reboundary",
		id: (await status(host, "folds")).rows[0]?.id ?? "",
	});
	expect(back.text).toContain("the next commit heeds it");
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("what was peeked at leaves the window at the next commit, unless it was to stay", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	const { rows } = await status(host, "folds");
	const id = rows[0]?.id ?? "";
	await callFold(host, { action: "peek", id, bytes: 4_000 });
	await callFold(host, { action: "peek", id, bytes: 4_000, ephemeral: false });
	const before = await host.ask("read?");
	const isRead = (message: string) =>
		JSON.parse(message).role === "toolResult" && message.includes("bytes, from byte");
	expect(before.filter(isRead)).toHaveLength(2);
	for (const topic of ["epsilon", "zeta"]) await host.work(topic, 1, 2_700);
	await host.fold();
	const after = await host.ask("released?");
	expect(after.filter(isRead).length).toBeLessThan(2);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("decisions of every kind are had again from their nodes, byte for byte, where the store is lost", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const marks = await pendingOf(host);
	await callFold(host, { action: "brief", id: marks[0] ?? "", brief: "alpha's first page" });
	await callFold(host, { action: "reboundary", ids: marks.slice(1, 3) });
	await callFold(host, { action: "unmark", ids: [marks[0] ?? ""] });
	await callFold(host, { action: "pin", ids: [host.path("message")[2] ?? ""] });
	await host.fold();
	const { rows } = await status(host, "folds");
	const fold = rows.findLast(({ state }) => state === "standing")?.id ?? "";
	await callFold(host, { action: "expand", id: fold });
	await callFold(host, { action: "reboundary", id: fold });
	await callFold(host, { action: "unpin", ids: [host.path("message")[2] ?? ""] });
	const before = await host.ask("before?");
	await host.quit();
	rmSync(sandbox.home, { recursive: true });
	const again = await sandbox.open(host.file, { tools });
	const after = await again.ask("after?");
	expect(after.slice(0, before.length)).toEqual(before);
	expect(again.said).toEqual([]);
	expect(again.errors).toEqual([]);
});
