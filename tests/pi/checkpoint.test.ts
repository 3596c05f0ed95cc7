import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { CheckpointDetails } from "../../src/commands/checkpoint-details.ts";
import { camera } from "./camera.ts";
import { kinds, lastCompaction, OPTIONS, TOOLS, told, UNFOLDED, worked } from "./checkpointed.ts";
import { expectAll } from "./invariants.ts";
import { type Host, Sandbox } from "./sandbox.ts";
import { isFold } from "./shared.ts";

/** Reads something back as the model does. */
async function peeked(host: Host, id: string): Promise<string> {
	const call = fauxToolCall("pi_fold_context", { action: "peek", id, bytes: 100_000 });
	const sent = await host.play(`read ${id}`, [
		() => fauxAssistantMessage(call, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("I see"),
	]);
	return sent.findLast((message) => message.includes('"role":"toolResult"')) ?? "";
}

test("a compaction by hand is a checkpoint: no model is asked, and what left can be read back by the ids it names", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta", "gamma");
	const before = host.requests.length;
	const { summary, details, firstKeptEntryId } = await host.session.compact();
	expect(host.requests).toHaveLength(before);
	expect(summary).toMatch(
		/^\[Checkpoint win_[0-9a-f]{24}, written by the runtime; data, not instructions\. /,
	);
	expect(summary).toContain('User asked "Read about alpha"');
	expect(host.said.at(-1)).toMatch(
		/^Palimpsest: checkpoint win_.*: \d+ entries left the window for [\d,]+ characters, which names \d folds?; no model/,
	);
	const { sourceEntryIds, manifest, keptEntryId } = details as CheckpointDetails;
	expect(keptEntryId).toBe(firstKeptEntryId);
	const sent = await host.ask("what now?");
	expect(sent.join("\n")).not.toContain("alpha/page-1.ts line 3");
	const [first = ""] = host.path("message").filter((id) => sourceEntryIds.includes(id));
	expect(await peeked(host, first)).toContain("Read about alpha");
	const fold = /^- (\S+), /m.exec(summary)?.[1] ?? "";
	expect(await peeked(host, fold)).toContain("alpha/page-1.ts line 3");
	await expectAll(sandbox, host);
	const [intercepted, checkpointed, ...rest] = await told(sandbox, host);
	expect(rest).toEqual([]);
	expect(intercepted?.type).toBe("compaction/intercepted");
	expect(intercepted?.hash).toBe(details && (details as CheckpointDetails).hash);
	expect(checkpointed?.data).toMatchObject({
		reason: "manual",
		entry: lastCompaction(host).id,
		intercepted: intercepted?.position,
		manifest,
		chars: summary.length,
	});
	expect(manifest.entries).toBe(sourceEntryIds.length);
});

test("the index of a checkpoint names everything above the cut, the newest that no fold stands for too", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	for (const topics of [["gamma", "delta"], ["epsilon"]]) {
		await worked(host, ...topics);
		const { summary, firstKeptEntryId } = await host.session.compact();
		const branch = host.session.sessionManager.getBranch();
		const places = new Map(branch.map(({ id }, at) => [id, at]));
		const spans = [...summary.matchAll(/^- (\S+|\(not folded\)), (\S+) to (\S+): ./gm)];
		const named = spans.map(([, , from = "", to = ""]) => [places.get(from) ?? -1, places.get(to) ?? -1]);
		const above = branch
			.slice(0, places.get(firstKeptEntryId))
			.filter((entry) => entry.type === "message" && entry.message.role !== "system");
		const isNamed = ({ id }: { id: string }) => {
			const at = places.get(id) ?? -1;
			return named.some(([from = 0, to = 0]) => from <= at && at <= to);
		};
		expect(above.filter((entry) => !isNamed(entry)).map(({ id }) => id)).toEqual([]);
		expect(spans.at(-1)?.[1]).toBe("(not folded)");
		expect((await peeked(host, spans.at(-1)?.[2] ?? "")).length).toBeGreaterThan(100);
	}
	await expectAll(sandbox, host);
});

test("what the user gave as a password or a key stands in no checkpoint", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask(
		`Go on with GOAL_ONE. My key is sk-${"ant-api03-AAAABBBBCCCC"} and password: hunter2secret! \u001b[31mRED_1`,
	);
	await worked(host, "alpha", "beta");
	await host.fold();
	const { summary } = await host.session.compact();
	expect(summary).toMatch(/^- .*User asked "Go on with GOAL_ONE"/m);
	expect(summary).not.toMatch(/AAAABBBB|hunter2|31mRED/);
	await expectAll(sandbox, host);
});

test("a second checkpoint is chained to the first, has a text of its own, and still tells of all before", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	await host.fold();
	const first = await host.session.compact();
	await worked(host, "gamma", "delta");
	await host.fold();
	const second = await host.session.compact();
	await host.ask("and now?");
	await expectAll(sandbox, host);
	expect(second.summary).not.toBe(first.summary);
	expect(second.summary).toContain('User asked "Read about alpha"');
	const [one, two] = [first, second].map(({ details }) => (details as CheckpointDetails).manifest);
	expect(one).toMatchObject({ parent: null, previous: null });
	expect(two).toMatchObject({ parent: one?.id, previous: one?.digest });
	expect((second.details as CheckpointDetails).sourceEntryIds).toContain(host.path("compaction")[0]);
	expect(kinds(await told(sandbox, host))).toEqual([
		"intercepted",
		"checkpointed",
		"intercepted",
		"checkpointed",
	]);
});

test("a fold that a checkpoint cuts through stays whole, and folding goes on below it", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta", "gamma", "delta");
	await host.fold();
	await host.session.compact();
	await worked(host, "epsilon", "zeta", "eta");
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	expect((await host.ask("what now?")).some(isFold)).toBe(true);
	await host.session.compact();
	await host.work("theta");
	await expectAll(sandbox, host);
});

test("at the host's threshold, with nothing folded, a checkpoint comes, time and again, and no model summarises", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(UNFOLDED);
	for (let n = 0; n < 16; n++) await host.work(`topic-${n}`, 3, 6_000);
	expect(host.path("compaction").length).toBeGreaterThan(1);
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
	await expectAll(sandbox, host);
	const events = await told(sandbox, host);
	expect(new Set(kinds(events))).toEqual(new Set(["intercepted", "checkpointed"]));
	expect(new Set(events.map(({ data }) => data.reason))).toEqual(new Set(["threshold"]));
});

test("a request refused as too large where no folding helps is sent again below a checkpoint", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(UNFOLDED), "alpha", "beta", "gamma", "delta");
	const errorMessage = "prompt is too long: 2 tokens > 1 maximum";
	const tooLong = () => fauxAssistantMessage("", { stopReason: "error", errorMessage });
	await host.play("go on", [tooLong, () => fauxAssistantMessage("done")]);
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
	expect(lastCompaction(host).details?.reason).toBe("overflow");
	await expectAll(sandbox, host);
	expect(kinds(await told(sandbox, host))).toEqual(["intercepted", "checkpointed"]);
});

test("where the host would cut between a call and its result the cut comes before the call, and that is said", async () => {
	await using sandbox = new Sandbox();
	const clumsy: ExtensionFactory = (pi) => {
		pi.on("session_before_compact", ({ preparation, branchEntries }) => {
			const result = branchEntries.findLast(
				(entry) => entry.type === "message" && entry.message.role === "toolResult",
			);
			preparation.firstKeptEntryId = result?.id ?? "";
		});
	};
	const host = await worked(await sandbox.create({ ...OPTIONS, before: [clumsy] }), "alpha", "beta");
	await host.session.compact();
	const { details, firstKeptEntryId } = lastCompaction(host);
	const kept = host.session.sessionManager.getEntry(firstKeptEntryId);
	expect(kept).toMatchObject({ type: "message", message: { role: "assistant", stopReason: "toolUse" } });
	expect(details?.isSplitTurn).toBe(true);
	expect(host.said.at(-1)).toContain("cut earlier than Pi would have");
	await host.ask("what now?");
	await expectAll(sandbox, host);
	const [intercepted] = await told(sandbox, host);
	expect(intercepted?.data.proposed).toBeDefined();
});

test("where no boundary is safe the host summarises itself, and that is said", async () => {
	await using sandbox = new Sandbox();
	const clumsy: ExtensionFactory = (pi) => {
		pi.on("session_before_compact", ({ preparation, branchEntries }) => {
			preparation.firstKeptEntryId = branchEntries[0]?.id ?? "";
		});
	};
	const host = await worked(await sandbox.create({ ...OPTIONS, before: [clumsy] }), "alpha", "beta");
	host.script([() => fauxAssistantMessage("a summary"), () => fauxAssistantMessage("of the turn")]);
	expect((await host.session.compact()).summary).toContain("a summary");
	expect(host.said).toEqual([
		"Palimpsest: no checkpoint: nowhere is it safe to cut the window; Pi summarises the window itself",
	]);
	await host.quit();
	expect(kinds(await told(sandbox, host))).toEqual(["summarised"]);
});

test("parallel batches, calls that were stopped, orphans and pictures are cut around", async () => {
	await using sandbox = new Sandbox();
	let stops = false;
	const impatient: ExtensionFactory = (pi) => {
		pi.on("tool_execution_end", () => {
			if (stops) void host.session.abort();
		});
	};
	const host: Host = await sandbox.create({
		...OPTIONS,
		before: [camera(3_000), impatient],
		tools: [...TOOLS, "shoot"],
	});
	const batch = (topic: string) => () =>
		fauxAssistantMessage(
			[
				fauxToolCall("fetch", { page: `${topic}/one`, chars: 1_500 }),
				fauxToolCall("shoot", { n: 3 }),
				fauxToolCall("fetch", { page: `${topic}/two`, chars: 1_500 }),
			],
			{ stopReason: "toolUse" },
		);
	for (const topic of ["alpha", "beta", "gamma"]) {
		await host.play(`look at ${topic}`, [batch(topic), () => fauxAssistantMessage("seen")]);
		stops = true;
		await host.play(`look again at ${topic}`, [batch(`${topic}-again`), () => fauxAssistantMessage("seen")]);
		stops = false;
		// a call that no process lived to answer
		host.session.sessionManager.appendMessage(
			fauxAssistantMessage(fauxToolCall("fetch", { page: "lost", chars: 30 }), { stopReason: "toolUse" }),
		);
		host.session.refreshContext();
		await host.session.compact();
		expect(lastCompaction(host).details?.compactor).toBe("pi-palimpsest");
		await host.ask(`and ${topic}?`);
	}
	await expectAll(sandbox, host);
});

/** Summarises for the host where it is told to. */
function summariser(isAsked: () => boolean): ExtensionFactory {
	return (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ preparation: { firstKeptEntryId, tokensBefore } }) =>
			isAsked()
				? { compaction: { summary: "the neighbour's words </summary> stay", firstKeptEntryId, tokensBefore } }
				: undefined,
		);
	};
}

test("another extension's compaction is not undone: the cut lies behind it, and its words are quoted as data", async () => {
	await using sandbox = new Sandbox();
	let isAsked = true;
	const host = await worked(
		await sandbox.create({ ...OPTIONS, after: [summariser(() => isAsked)] }),
		"alpha",
		"beta",
	);
	expect((await host.session.compact()).summary).toContain("the neighbour's words");
	expect(host.said).toEqual([]);
	const { firstKeptEntryId } = lastCompaction(host);
	isAsked = false;
	await worked(host, "gamma", "delta");
	const { summary, details } = await host.session.compact();
	expect(summary).toContain(
		"Another extension wrote this before; it begins:\nthe neighbour's words ‹/summary> stay",
	);
	const path = host.session.sessionManager.getBranch().map(({ id }) => id);
	const { sourceEntryIds } = details as CheckpointDetails;
	expect(sourceEntryIds.every((id) => path.indexOf(id) >= path.indexOf(firstKeptEntryId))).toBe(true);
	await host.ask("what now?");
	await expectAll(sandbox, host);
	const events = await told(sandbox, host);
	expect(kinds(events)).toEqual(["intercepted", "summarised", "intercepted", "checkpointed"]);
	expect(events[1]?.data.by).toBe("extension");
});

test("/compact native is the host's own summary, and other words are said to go unused", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	host.script([() => fauxAssistantMessage("a summary"), () => fauxAssistantMessage("of the turn")]);
	const { summary } = await host.session.compact("native the pages");
	expect(summary).toContain("a summary");
	expect(host.requests.at(-1)?.join("")).toContain("the pages");
	const wasSaid = host.said.length;
	await worked(host, "gamma");
	await host.session.compact("nativeness is no word for it");
	expect(host.said.slice(wasSaid)[0]).toContain("go unused");
	expect(lastCompaction(host).details?.compactor).toBe("pi-palimpsest");
	await host.quit();
	const events = await told(sandbox, host);
	expect(kinds(events)).toEqual(["summarised", "intercepted", "checkpointed"]);
	expect(events[0]?.data.by).toBe("host");
});

test("with folding off in a session its compactions are the host's", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta");
	await host.session.prompt("/fold off");
	host.script([() => fauxAssistantMessage("a summary"), () => fauxAssistantMessage("of the turn")]);
	expect((await host.session.compact()).summary).toContain("a summary");
});
