import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { callFold } from "./fold-calls.ts";
import { expectHistory } from "./past-windows.ts";
import { BILLED, type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { isFold } from "./shared.ts";

/** Runs a command; returns what was said. */
async function run(host: Host, command: string): Promise<string> {
	await host.session.prompt(command);
	return (host.said.at(-1) ?? "").replace("Palimpsest: ", "");
}

async function worked(sandbox: Sandbox, options = {}): Promise<Host> {
	const host = await sandbox.create(options);
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	return host;
}

const hasFolds = (sent: readonly string[]) => sent.some(isFold);

test("/fold undo brings the window back and quotes its price, and undoing that is a redo", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const raw = await host.ask("before?");
	await host.fold();
	const folded = await host.ask("folded?");
	const why = await run(host, `/fold why ${host.path("message")[3]}`);
	const id = /Commit (\S+) folded it: you asked for it/.exec(why)?.[1] ?? "";
	const said = await run(host, `/fold undo ${id}`);
	expect(said).toMatch(/^took back c\d+-\S+: the window goes from about [\d,]+ to [\d,]+ tokens .* in again/);
	const back = await host.ask("back?");
	expect(hasFolds(back)).toBe(false);
	expect(back.slice(0, raw.length)).toEqual(raw);
	const redo = /\/fold undo (undo-\d+) takes that back/.exec(said)?.[1] ?? "";
	await run(host, `/fold undo ${redo}`);
	const again = await host.ask("again?");
	expect(again.slice(0, folded.length)).toEqual(folded);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("an undo on which later decisions build is refused with their names, and taken with them", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	await host.ask("one");
	for (const topic of ["epsilon", "zeta"]) await host.work(topic);
	await host.fold();
	const first = host.path("custom").length;
	expect(first).toBe(2);
	const ids = (await run(host, "/fold undo nowhere")).match(/c\d+-\w+/g) ?? [];
	expect(ids).toHaveLength(2);
	expect(await run(host, `/fold undo ${ids[1]}`)).toMatch(
		new RegExp(`^UNDO_HAS_DEPENDENTS: .*${ids[0]}.*/fold undo ${ids[0]} ${ids[1]}$`),
	);
	await run(host, `/fold undo ${ids[1]} ${ids[0]}`);
	expect(hasFolds(await host.ask("raw?"))).toBe(false);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

const FULL = { models: BILLED, settings: { ...QUICK_SETTINGS, inputBudget: 9_000 } };

test("paused, a session folds only when asked; resumed, it goes on by itself", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(FULL);
	await host.work("alpha");
	expect(await run(host, "/fold pause")).toMatch(/^paused: /);
	for (const topic of ["beta", "gamma", "delta", "epsilon", "zeta"]) await host.work(topic);
	expect(host.requests.some(hasFolds)).toBe(false);
	expect(host.status).toContain("paused");
	expect(await run(host, "/fold-status")).toMatch(/^paused/);
	expect(await host.fold()).toMatch(/folded about/);
	expect(await run(host, "/fold resume")).toBe("folding by itself again");
	for (const topic of ["eta", "theta", "iota", "kappa", "lambda"]) await host.work(topic);
	expect(host.said.filter((said) => said.includes("folded about")).length).toBeGreaterThan(1);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("an undo that leaves the window over its budget says that the next request commits again, and it does", async () => {
	await using sandbox = new Sandbox();
	const settings = { ...QUICK_SETTINGS, inputBudget: 9_000 };
	const host = await sandbox.create({ models: BILLED, settings });
	const undo = async () => {
		const known = await run(host, "/fold undo nowhere");
		return run(host, `/fold undo ${/c\d+-\w+/.exec(known)?.[0]}`);
	};
	for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic);
	await host.fold();
	const within = await undo();
	expect(within).toMatch(/^took back/);
	expect(within).not.toContain("over the budget");
	await run(host, "/fold pause");
	for (let n = 0; n < 8; n++) await host.work(`topic-${n}`);
	await host.fold();
	expect(await undo()).toMatch(
		/; that is over the budget of 9,000 tokens, and is sent so all the same; \/fold undo undo-\d+ takes that back$/,
	);
	await run(host, "/fold resume");
	await host.fold();
	const said = await undo();
	expect(said).toMatch(
		/^took back .* to [\d,]+ tokens from the next request on, .*; that is over the budget of 9,000 tokens, so the next request commits again; /,
	);
	expect(hasFolds(await host.ask("and now?"))).toBe(true);
	expect(host.said.at(-1)).toContain("folded about");
	expect(host.errors).toEqual([]);
});

test("off leaves the session to the host's own compaction", async () => {
	await using sandbox = new Sandbox();
	const summariser = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ preparation: { firstKeptEntryId, tokensBefore } }) => ({
			compaction: { summary: "what came before", firstKeptEntryId, tokensBefore },
		}));
	};
	const compaction = { reserveTokens: 30_000, keepRecentTokens: 1_000 };
	const host = await sandbox.create({ ...FULL, compaction, after: [summariser] });
	await host.work("alpha");
	expect(await run(host, "/fold off")).toMatch(/^off in this session/);
	for (const topic of ["beta", "gamma", "delta", "epsilon", "zeta"]) await host.work(topic, 2, 6_000);
	expect(host.path("compaction").length).toBeGreaterThan(0);
	expect(host.requests.some(hasFolds)).toBe(false);
});

test("observing, a session is told what a commit would do, and none is made", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ ...FULL, settings: { ...FULL.settings, observe: true } });
	for (const topic of ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]) await host.work(topic);
	expect(host.said.some((said) => /a commit now would fold about [\d,]+ tokens/.test(said))).toBe(true);
	expect(host.requests.some(hasFolds)).toBe(false);
	expect(host.path("custom")).toEqual([]);
	expect(host.errors).toEqual([]);
});

test("/fold search finds what is folded, and says where; /fold why says of anything how it stands", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	await host.ask("folded");
	const found = await run(host, "/fold search alpha/page-1.ts line 3");
	expect(found).toMatch(/^found in 1 message:\n {2}\w+ result in [fg]\d+-\w+: .*alpha\/page-1\.ts line 3/);
	expect(await run(host, "/fold search nowhere to be found")).toMatch(/stands nowhere/);
	const fold = /in ([fg]\d+-\w+):/.exec(found)?.[1] ?? "";
	expect(await run(host, `/fold why ${fold}`)).toMatch(
		/stands in the window\. Commit c\d+-\w+ folded it: you asked for it\./,
	);
	expect(await run(host, `/fold why ${host.path("message").at(-1)}`)).toMatch(/is in view, whole/);
	expect(await run(host, "/fold why nothing")).toMatch(
		/^ENTRY_UNKNOWN: no message, call, fold or commit on this branch is called nothing/,
	);
	expect(host.errors).toEqual([]);
});

test("what /fold does not take is refused with all it takes, and nothing happens", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const takes =
		"/fold takes commit, pause, resume, off, why, undo, repair, search; or START [END] [-- BRIEF]";
	for (const word of ["fast", "RESUME"])
		expect(await run(host, `/fold ${word}`)).toContain(`/fold has no sub-command ${word}; ${takes}`);
	expect(await run(host, "/fold f9-nowhere")).toContain(
		`FOLD_UNKNOWN: no fold on this branch is called f9-nowhere; ${takes}`,
	);
	for (const verb of ["pause", "off", "resume", "commit"])
		expect(await run(host, `/fold ${verb} now please`)).toContain(
			`/fold ${verb} takes nothing more; ${takes}`,
		);
	for (const words of ["-- in vain", "f1-a f2-b f3-c"])
		expect(await run(host, `/fold ${words}`)).toContain(takes);
	expect(host.path("custom")).toEqual([]);
	expect(await run(host, "/fold-status")).toMatch(/^folding by itself/);
});

test("an undo asked for while the model works is done before the next request", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	await host.fold();
	await host.ask("folded");
	const id = ((await run(host, "/fold undo nowhere")).match(/c\d+-\w+/g) ?? [])[0];
	const sent = await host.play("go on", [
		() => {
			void host.session.prompt(`/fold undo ${id}`);
			return fauxAssistantMessage("on it");
		},
	]);
	expect(hasFolds(sent)).toBe(true);
	expect(hasFolds(await host.ask("raw?"))).toBe(false);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("other extensions are told of the folds in the window, in pi-fold's records", async () => {
	await using sandbox = new Sandbox();
	let candidates: (() => readonly { source_id: string; score: number; rank: number }[]) | undefined;
	const engine = (pi: ExtensionAPI) => {
		const registered = registerEngine(pi, () => QUICK_SETTINGS);
		pi.on("turn_end", (_event, ctx) => {
			candidates = () => registered.projectionCandidates(ctx);
		});
	};
	const host = await worked(sandbox, { engine });
	expect(candidates?.()).toEqual([]);
	await host.fold();
	const sent = await host.ask("folded");
	const records = candidates?.() ?? [];
	expect(records.length).toBeGreaterThan(1);
	expect(records.map(({ rank }) => rank)).toEqual(records.map((_, n) => n));
	for (const { source_id, score } of records) {
		expect(sent.join("\n")).toContain(source_id);
		expect(score).toBeGreaterThan(0);
	}
});

test("/fold START END -- BRIEF folds through that stretch as one, in those words, with all before it", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const messages = host.path("message");
	const span = `${messages[7]}..${messages[10]}`;
	expect(await run(host, `/fold ${span} -- beta's pages were read in vain`)).toMatch(
		/^folded about [\d,]+ tokens/,
	);
	const sent = await host.ask("folded?");
	expect(sent.join("\n")).toContain("beta's pages were read in vain");
	expect(await run(host, `/fold ${span}`)).toMatch(/^SPAN_INVALID: /);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

/** The names of the marks that wait, as the map tells them. */
async function marksOf(host: Host): Promise<string[]> {
	return [...(await run(host, "/fold-editor")).matchAll(/◇ (\S+) staged/g)].flatMap(([, id]) => id ?? []);
}

test("/fold takes two marks as the ends of a stretch, and folds it as one, in the words given", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const [first, , third, fourth] = await marksOf(host);
	expect(await run(host, `/fold ${first} ${third} -- alpha was read in vain`)).toMatch(
		/^folded about [\d,]+ tokens/,
	);
	const sent = await host.ask("folded?");
	expect(sent.filter(isFold)).toEqual([expect.stringContaining("alpha was read in vain")]);
	// a mark behind is called otherwise since then, and is meant by either name
	expect(await marksOf(host)).not.toContain(fourth);
	expect(await run(host, `/fold why ${fourth}`)).toMatch(/^f2-\S+~r\d+ \(/);
	expect(await run(host, `/fold ${fourth} -- so was beta`)).toMatch(/^folded about [\d,]+ tokens/);
	const folds = (await host.ask("both?")).filter(isFold).join("\n");
	expect(folds.match(/in place of \d+ messages/g)).toHaveLength(2);
	expect(folds).toMatch(/alpha was read in vain.*so was beta/s);
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test.each(["x".repeat(601), "..."])(
	"/fold over a stretch with a brief that is refused changes nothing",
	async (brief) => {
		await using sandbox = new Sandbox();
		const host = await worked(sandbox);
		const marks = await marksOf(host);
		const decided = host.path("custom");
		expect(await run(host, `/fold ${marks[0]} ${marks[2]} -- ${brief}`)).toMatch(/^BRIEF_INVALID: /);
		expect(host.path("custom")).toEqual(decided);
		expect(await marksOf(host)).toEqual(marks);
	},
);

test("/fold tells what of it stays raw because the model asked for that", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox, { tools: ["fetch", "pi_fold_context"] });
	const { text } = await callFold(host, { action: "status", detail: "tree" });
	const marks: { id: string; state: string }[] = JSON.parse(text).rows;
	const [first = "", second = ""] = marks.filter(({ state }) => state === "pending").map(({ id }) => id);
	await callFold(host, { action: "unmark", ids: [second] });
	expect(await run(host, `/fold ${first}`)).not.toContain("as was asked");
	expect(await run(host, `/fold ${second}`)).toMatch(
		new RegExp(`; ${second} stays raw, as was asked before$`),
	);
	for (const topic of ["epsilon", "zeta"]) await host.work(topic);
	const later = await callFold(host, { action: "status", detail: "tree" });
	const rows: typeof marks = JSON.parse(later.text).rows;
	const ids = rows.filter(({ state }) => state === "pending").map(({ id }) => id);
	await callFold(host, { action: "unmark", ids: ids.slice(0, 2) });
	expect(await run(host, "/fold")).toMatch(
		new RegExp(`^folded about .*; ${ids[0]}, ${ids[1]} stay raw, as was asked before$`),
	);
	expect(await host.fold()).not.toContain("as was asked");
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("a withdrawn mark that a commit does not reach keeps its results whole", async () => {
	await using sandbox = new Sandbox();
	const settings = { ...QUICK_SETTINGS, toolFoldThreshold: 0.9, floorTokens: 4_000 };
	const host = await sandbox.create({ settings, tools: ["fetch", "pi_fold_context"] });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic, 2, 3_000);
	await host.fold();
	const clippedMarks = async () => (await run(host, "/fold-editor")).match(/◇ \S+ .* clipped/g) ?? [];
	const id = /◇ (\S+)/.exec((await clippedMarks()).at(-1) ?? "")?.[1] ?? "";
	expect(id).toMatch(/^f\d+-/);
	await callFold(host, { action: "unmark", ids: [id] });
	await host.work("epsilon", 2, 3_000);
	await host.fold();
	const row = new RegExp(`◇ ${id} .*`).exec(await run(host, "/fold-editor"))?.[0];
	expect(row).toContain("withdrawn, raw at the next commit");
	expect(row).not.toContain("clipped");
	expect(host.errors).toEqual([]);
	await expectHistory(sandbox, host);
});

test("what a command decided is completed at once, and /fold alone by its words", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(sandbox);
	const command = host.session.extensionRunner.getCommand("fold");
	const completed = async (prefix: string) =>
		((await command?.getArgumentCompletions?.(prefix)) ?? []).map(({ value }) => value);
	expect(await completed("")).toEqual([
		"commit",
		"pause",
		"resume",
		"off",
		"why",
		"undo",
		"repair",
		"search",
	]);
	expect(await completed("undo ")).toEqual([]);
	await host.fold();
	const [id = "", ...others] = await completed("undo ");
	expect(id).toMatch(/^undo c\d+-\w+$/);
	expect(others).toEqual([]);
	await run(host, `/fold ${id}`);
	expect(await completed("undo ")).toEqual([expect.stringMatching(/^undo undo-\d+$/)]);
});
