import { rmSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { expectHistory } from "./past-windows.ts";
import { type Host, type HostOptions, QUICK_SETTINGS, Sandbox, type Sent } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

const SECRET = "src/secret-door.ts";
const OTHER = "src/open-door.ts";

type Draft = { type: "context_edit"; targetId: string; replacement: null | { content: string } };

/** Edits entries as an extension does: at the end of the next turn. */
class Editor {
	readonly #drafts: Draft[] = [];

	readonly extension = (pi: ExtensionAPI): void => {
		pi.on("turn_end", ({ entries }) => ({ entries: [...entries, ...this.#drafts.splice(0)] }));
	};

	get options(): HostOptions {
		return { before: [this.extension], tools: ["fetch", "pi_fold_context"] };
	}

	edit(targetId: string, content?: string): void {
		const replacement = content === undefined ? null : { content };
		this.#drafts.push({ type: "context_edit", targetId, replacement });
	}
}

/** A session whose second prompt names something; the prompt's entry. */
async function toldIn(host: Host): Promise<string> {
	await host.work("alpha");
	await host.ask(`remember ${SECRET} well`);
	const told = host.path("message").at(-2) ?? "";
	for (const topic of ["beta", "gamma", "delta"]) await host.work(topic);
	return told;
}

const tells = (sent: Sent, what = SECRET) => sent.some((message) => message.includes(what));
const tellsFolded = (sent: Sent, what = SECRET) => tells(sent.filter(isFold), what);

test("what is replaced in a fold is in no later request, through a restart, a fork and a lost store", async () => {
	await using sandbox = new Sandbox();
	const editor = new Editor();
	let host = await sandbox.create(editor.options);
	const told = await toldIn(host);
	await host.fold();
	expect(tellsFolded(await host.ask("before?"))).toBe(true);
	editor.edit(told, `remember ${OTHER} well`);
	await host.ask("edit now");
	const after = await host.ask("after?");
	expect(tells(after)).toBe(false);
	expect(tellsFolded(after, OTHER)).toBe(true);
	const requests = [...host.requests];
	await host.quit();

	host = await sandbox.open(host.file, editor.options);
	const restarted = await host.ask("restarted?");
	expect(shared(after, restarted)).toBe(after.length);
	for (const topic of ["epsilon", "zeta"]) await host.work(topic);
	await host.fold();
	const again = await host.ask("folded again?");
	expect(tells(again)).toBe(false);
	const { file } = host;
	requests.push(...host.requests);
	await expectHistory(sandbox, host, requests);

	rmSync(join(sandbox.home, "sessions"), { recursive: true });
	host = await sandbox.open(file, editor.options);
	const rebuilt = await host.ask("rebuilt?");
	expect(shared(again, rebuilt)).toBe(again.length);
	await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
	const forked = await host.ask("forked?");
	expect(shared(rebuilt, forked)).toBe(rebuilt.length);
	expect(host.said).toEqual([]);
	expect(host.errors).toEqual([]);
});

test("what is taken out of a closed cut before the commit is in no text of it", async () => {
	await using sandbox = new Sandbox();
	const editor = new Editor();
	const host = await sandbox.create(editor.options);
	const told = await toldIn(host);
	editor.edit(told);
	await host.ask("edit now");
	await host.fold();
	const folded = await host.ask("after?");
	expect(folded.some(isFold)).toBe(true);
	expect(tells(folded)).toBe(false);
	await expectHistory(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	expect(events.filter(({ type }) => type === "brief/rewritten")).toHaveLength(1);
});

test("a fold of which edits left nothing is gone, what stands behind it stays, and going back brings it back", async () => {
	await using sandbox = new Sandbox();
	const editor = new Editor();
	const settings = { ...QUICK_SETTINGS, consolidateAfter: 10 };
	const host = await sandbox.create({ ...editor.options, settings });
	await toldIn(host);
	await host.fold();
	const before = await host.ask("before?");
	const here = host.session.sessionManager.getLeafId() ?? "";
	const folds = (sent: Sent) => JSON.parse(sent.find(isFold) ?? '{"content":[]}').content.length;
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const again = await sandbox.open(host.file, { ...editor.options, settings });
	const first = events.find(({ type }) => type === "mark/set")?.data;
	const path = again.path("message");
	const taken = path.slice(path.indexOf(String(first?.from)), path.indexOf(String(first?.to)) + 1);
	for (const id of taken) editor.edit(id);
	await again.ask("edit now");
	const after = await again.ask("after?");
	expect(folds(before)).toBeGreaterThan(2);
	expect(folds(after)).toBe(folds(before) - 1);
	await again.session.navigateTree(here);
	const back = await again.ask("back?");
	expect(shared(before, back)).toBe(before.length);
});

test("the model reads the edit of a folded message back, never what stood there before", async () => {
	await using sandbox = new Sandbox();
	const editor = new Editor();
	const host = await sandbox.create(editor.options);
	const told = await toldIn(host);
	await host.fold();
	const fold = /f\d+-\w+|g\d+-\w+/.exec((await host.ask("before?")).find(isFold) ?? "")?.[0] ?? "";
	editor.edit(told, `remember ${OTHER} well`);
	await host.ask("edit now");
	for (const id of [told, fold]) {
		const call = fauxToolCall("pi_fold_context", { action: "peek", id, bytes: 200_000 });
		const sent = await host.play("read it back", [
			() => fauxAssistantMessage(call, { stopReason: "toolUse" }),
			() => fauxAssistantMessage("read"),
		]);
		const answer = sent.findLast((message) => message.includes('"toolResult"')) ?? "";
		expect(answer).toContain(`edited since, read as the edits left them: ${told}`);
		expect(answer).toContain(OTHER);
		expect(tells(sent)).toBe(false);
	}
	expect(host.errors).toEqual([]);
});
