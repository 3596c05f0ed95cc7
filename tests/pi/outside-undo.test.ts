import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { undoIn, undoQuote } from "../../src/adapters/sessions/undo.ts";
import type { UndoAsked } from "../../src/debug/undo-price.ts";
import { expectSound, nodesOn } from "./outside.ts";
import { expectHistory } from "./past-windows.ts";
import { type Host, Sandbox, type Sent } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

const placeOf = (sandbox: Sandbox, host: Host) => join(sandbox.home, "sessions", host.session.sessionId);
const hasFolds = (sent: Sent) => sent.some(isFold);

/** A session of four topics whose raw and whose folded window were sent; nobody has it open. */
async function folded(sandbox: Sandbox) {
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	const raw = await host.ask("before?");
	await host.fold();
	const short = await host.ask("folded?");
	expect(hasFolds(short)).toBe(true);
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const commit = events.findLast(({ type }) => type === "commit/applied")?.data.id as string;
	const place = placeOf(sandbox, host);
	const outside = async (asked: UndoAsked) => undoIn(place, asked, (await undoQuote(place, asked)).head);
	return { host, raw, short, commit, place, outside };
}

test("what is taken back from outside is so from the first request of the reopened session on, and again redone", async () => {
	await using sandbox = new Sandbox();
	const { host, raw, short, commit, outside } = await folded(sandbox);
	const undone = await outside({ kind: "undo", decisions: [commit] });
	expect(undone).toMatchObject({ waits: true, quote: { decision: commit, with: [commit] } });
	expect(undone.head.version).toBe(undone.quote.head.version + 1);
	expect(undone.quote.after).toBeGreaterThan(undone.quote.before);

	const second = await sandbox.open(host.file);
	const back = await second.ask("back?");
	expect(hasFolds(back)).toBe(false);
	expect(back.slice(0, raw.length)).toEqual(raw);
	expect(nodesOn(second.session.sessionManager.getBranch())).toHaveLength(2);
	await second.quit();
	await outside({ kind: "redo" });

	const third = await sandbox.open(host.file);
	const again = await third.ask("again?");
	expect(again.slice(0, short.length)).toEqual(short);
	expect([...second.errors, ...third.errors]).toEqual([]);
	expectSound([...second.asked, ...third.asked]);
	await expectHistory(sandbox, third, [...host.requests, ...second.requests, ...third.requests]);
});

test("an undo that still waits for its session may be taken back, and both get their nodes", async () => {
	await using sandbox = new Sandbox();
	const { host, short, commit, outside } = await folded(sandbox);
	const undone = await outside({ kind: "undo", decisions: [commit] });
	const redone = await outside({ kind: "redo" });
	expect(redone.quote).toMatchObject({ kind: "redo", decision: undone.id, before: undone.quote.after });
	await expect(outside({ kind: "redo" })).rejects.toMatchObject({ code: "DECISION_UNKNOWN" });

	const second = await sandbox.open(host.file);
	const again = await second.ask("again?");
	expect(again.slice(0, short.length)).toEqual(short);
	expect(nodesOn(second.session.sessionManager.getBranch())).toHaveLength(3);
	expect([...second.said, ...second.errors]).toEqual([]);
	await second.quit();
	// the nodes alone say the same
	rmSync(join(sandbox.home, "sessions"), { recursive: true });
	const third = await sandbox.open(host.file);
	expect(shared(again, await third.ask("and without the store?"))).toBe(again.length);
	expect([...third.said, ...third.errors]).toEqual([]);
});

test("a stretch cut by hand is taken back and drawn again, with what it was told", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	const raw = await host.ask("before?");
	const [from, , , to] = host.path("message").slice(4);
	await host.session.prompt(`/fold ${from} ${to} -- the parser was a dead end`);
	const short = await host.ask("folded?");
	expect(short.join("")).toContain("the parser was a dead end");
	await host.quit();
	const place = placeOf(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const decisions = events
		.filter(({ type }) => ["mark/recut", "brief/supplied", "commit/applied"].includes(type))
		.map(({ data }) => data.id as string);
	expect(decisions).toHaveLength(3);
	const outside = async (asked: UndoAsked) => undoIn(place, asked, (await undoQuote(place, asked)).head);
	const undone = await outside({ kind: "undo", decisions });
	const redone = await outside({ kind: "redo", decision: decisions[0] });
	const back = await outside({ kind: "undo", decisions: [redone.id] });
	expect(back.quote.after).toBe(undone.quote.after);
	const second = await sandbox.open(host.file);
	expect((await second.ask("back?")).slice(0, raw.length)).toEqual(raw);
	await second.quit();
	await outside({ kind: "redo" });
	const third = await sandbox.open(host.file);
	expect((await third.ask("again?")).slice(0, short.length)).toEqual(short);
	expect([...second.errors, ...third.errors, ...second.said, ...third.said]).toEqual([]);
	await expectHistory(sandbox, third, [...host.requests, ...second.requests, ...third.requests]);
});

test("a running session is left alone, and the refusal says how it is done there", async () => {
	await using sandbox = new Sandbox();
	const { host, commit, place } = await folded(sandbox);
	const second = await sandbox.open(host.file);
	await second.ask("running?");
	const { length } = second.lines();
	await expect(undoQuote(place, { kind: "undo", decisions: [commit] })).rejects.toMatchObject({
		code: "STORE_LOCKED",
		message: expect.stringContaining(`/fold undo ${commit}`),
	});
	expect(second.lines()).toHaveLength(length);
});

test("where the session went on before it was opened with its log, the undo never takes effect and that is told once", async () => {
	await using sandbox = new Sandbox();
	const { host, commit, outside } = await folded(sandbox);
	await outside({ kind: "undo", decisions: [commit] });
	const bare = await sandbox.open(host.file, { engine: () => {} });
	await bare.ask("without you");
	await bare.quit();
	const second = await sandbox.open(host.file);
	expect(hasFolds(await second.ask("and now?"))).toBe(true);
	expect(second.said).toEqual([expect.stringContaining("went on before it took effect")]);
	await second.quit();
	const third = await sandbox.open(host.file);
	expect(hasFolds(await third.ask("and then?"))).toBe(true);
	expect([...third.said, ...third.errors]).toEqual([]);
});
