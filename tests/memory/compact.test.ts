import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Memory } from "../../projections/memory/record.ts";
import { type Brought, jsonLines } from "../../src/cli/memory/brought.ts";
import { type CompactEvent, hashOf } from "../../src/cli/memory/compact-chain.ts";
import { readCompact } from "../../src/cli/memory/read-compact.ts";
import { Keys } from "../../src/engine/memory/keys.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { held, read, takeIn, write } from "./carried.ts";
import { said } from "./memories.ts";

let root: string;
let keys: Keys;
beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "palimpsest-compact-"));
	keys = new Keys(join(root, "keyring.json"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Said = Pick<CompactEvent, "type" | "recordId" | "author" | "payload"> & { readonly sessionId?: string };

/** A log of pi-compact's: events counted from 1 and chained, a line each. */
function logged(events: readonly Said[]): string[] {
	let prevHash = "";
	return events.map((event, index) => {
		const seq = index + 1;
		const whole = { seq, ts: new Date(seq * 1_000).toISOString(), prevHash, ...event };
		prevHash = hashOf(whole);
		return JSON.stringify({ ...whole, hash: prevHash });
	});
}

const create = (
	recordId: string,
	author: Said["author"],
	content: string,
	more: object = {},
	sessionId?: string,
): Said => ({
	type: "create",
	recordId,
	author,
	payload: {
		kind: "fact",
		content,
		scope: "workspace",
		status: author === "user" ? "active" : "provisional",
		priority: "normal",
		sourceEntryIds: [],
		sourceHash: "",
		...more,
	},
	...(sessionId !== undefined && { sessionId }),
});
const about = (type: string, recordId: string, author: Said["author"], payload: object = {}): Said => ({
	type,
	recordId,
	author,
	payload: payload as Said["payload"],
});

const brought = (lines: readonly string[]): Brought => {
	const { lines: json, broken } = jsonLines(lines.join("\n"));
	return readCompact(json, broken);
};

/** What a log comes to here, once the user has vouched for what it claims. */
async function trusted(
	lines: readonly string[],
): Promise<{ memory: Memory; texts: Record<string, string | undefined>; refused: string[] }> {
	const into = held("folder", keys);
	const { refused } = await takeIn(into, brought(lines));
	const events = (await read(into)).memory.suspects.map(({ position, hash }) => ({ position, hash }));
	if (events.length > 0)
		await write(into, [said({ type: "memory/trusted", data: { events } }, "user", 9)], []);
	return { ...(await read(into)), refused: refused.map(({ line, why }) => `${line}: ${why}`) };
}

describe("a log of pi-compact's", () => {
	test("is hashed as SHA-256 over its fields with their keys in order", () => {
		const event = {
			seq: 1,
			ts: "2026-01-01T00:00:00.000Z",
			type: "create",
			recordId: "mem_0123456789abcdef",
			prevHash: "",
			author: "user",
			payload: { kind: "fact", content: "é", list: [{ b: 1, a: 2 }] },
		} as const;
		const plain =
			'{"author":"user","payload":{"content":"é","kind":"fact","list":[{"a":2,"b":1}]},"prevHash":"",' +
			'"recordId":"mem_0123456789abcdef","seq":1,"sessionId":"","ts":"2026-01-01T00:00:00.000Z","type":"create"}';
		expect(hashOf(event)).toBe(sha256Node(Buffer.from(plain)));
	});

	test("comes along with its ids, versions, links, statuses, scopes and sources", async () => {
		const { memory, texts, refused } = await trusted(
			logged([
				create("mem_1", "user", "use tabs", {
					scope: "project",
					sourceEntryIds: ["e1", "e2", "e1"],
					sourceHash: "abc",
					provenance: "user:/remember",
				}),
				create("mem_2", "model", "port 5433", { kind: "working", scope: "user" }),
				create("mem_rule_3", "rule", "src/a.ts", {
					kind: "derived",
					priority: "low",
					provenance: "rule:file",
				}),
				create("mem_4", "user", "only here", { scope: "session", priority: "high" }, "s1"),
				about("supersede", "mem_1", "user", { newRecordId: "mem_5", content: "use spaces" }),
				about("pin", "mem_5", "user"),
				about("supersede", "mem_2", "model", {
					newRecordId: "mem_6",
					content: "port 5434",
					kind: "decision",
				}),
				about("pin", "mem_4", "user"),
				about("unpin", "mem_4", "user"),
				about("resolve", "mem_rule_3", "rule", { reason: "rule:gone" }),
				create("mem_7", "user", "forget me"),
				about("resolve", "mem_7", "user", { reason: "user:/forget" }),
			]),
		);
		expect(refused).toEqual([]);
		const shown = [...memory.records.values()].map(
			({ id, author, status, version, supersedes, supersededBy, scope }) =>
				[id, author, status, version, supersedes ?? "", supersededBy ?? "", scope].join(" "),
		);
		expect(shown).toEqual([
			"mem_1 user superseded 1  mem_5 workspace",
			"mem_2 model superseded 1  mem_6 workspace",
			"mem_rule_3 rule resolved 1   workspace",
			"mem_4 user active 1   session",
			"mem_5 user pinned 2 mem_1  workspace",
			"mem_6 model provisional 2 mem_2  workspace",
			"mem_7 user resolved 1   workspace",
		]);
		expect(memory.records.get("mem_5")).toMatchObject({
			sources: ["e1", "e2"],
			sourceHash: "abc",
			provenance: "user:/remember",
			createdAt: 5_000,
			updatedAt: 6_000,
		});
		expect(memory.records.get("mem_6")).toMatchObject({ kind: "decision", createdAt: 7_000 });
		expect(memory.records.get("mem_4")).toMatchObject({ session: "s1", priority: "high" });
		expect(memory.records.get("mem_7")).toMatchObject({
			was: "active",
			why: "user:/forget",
			updatedAt: 12_000,
		});
		expect(texts).toMatchObject({ mem_1: "use tabs", mem_5: "use spaces", mem_6: "port 5434" });
	});

	test("is nobody's word until the user vouches for it", async () => {
		const into = held("folder", keys);
		await takeIn(into, brought(logged([create("mem_1", "user", "use tabs"), about("pin", "mem_1", "user")])));
		const { memory } = await read(into);
		expect(memory.records.get("mem_1")).toMatchObject({ status: "provisional", proof: "unverified" });
		expect(memory.suspects).toHaveLength(2);
	});

	test("leaves out what had no effect in it, and says why", async () => {
		const { memory, refused } = await trusted(
			logged([
				create("mem_1", "model", "made active", { status: "active" }),
				create("mem_2", "user", "mine"),
				create("mem_2", "user", "again"),
				about("pin", "mem_2", "model"),
				about("supersede", "mem_2", "model", { newRecordId: "mem_3", content: "not yours" }),
				about("resolve", "mem_2", "rule"),
				about("pin", "mem_9", "user"),
				about("resolve", "mem_2", "user"),
				about("pin", "mem_2", "user"),
				about("melt", "mem_2", "user"),
				create("mem_4", "user", "of no session", { scope: "session" }),
				create("mem_5", "user", "of no kind", { kind: "whim" }),
			]),
		);
		expect([...memory.records.values()].map(({ id, status }) => `${id} ${status}`)).toEqual([
			"mem_2 resolved",
		]);
		expect(refused.map((text) => Number.parseInt(text, 10))).toEqual([1, 3, 4, 5, 6, 7, 9, 10, 11, 12]);
	});

	test("counts up to where its chain holds: a changed event, a gap and a repeated number end it", async () => {
		const lines = logged([
			create("mem_1", "user", "one"),
			create("mem_2", "user", "two"),
			create("mem_3", "user", "three"),
		]);
		const kept = async (log: readonly string[]) => {
			const { memory, refused } = await trusted(log);
			return [[...memory.records.keys()], refused.map((text) => Number.parseInt(text, 10))];
		};
		const [first = "", second = "", third = ""] = lines;
		expect(await kept([first, second.replace("two", "2"), third])).toEqual([["mem_1"], [2, 3]]);
		expect(await kept([first, third])).toEqual([["mem_1"], [2]]);
		expect(await kept([first, first, second, third])).toEqual([["mem_1"], [2, 3, 4]]);
		expect(await kept([first, second, second, third])).toEqual([
			["mem_1", "mem_2"],
			[3, 4],
		]);
		expect(await kept([second, first, third])).toEqual([[], [1, 2, 3]]);
		expect(brought([first, first, second]).notes).toEqual([
			expect.stringMatching(/holds up to event 1; 2 lines from line 2/),
		]);
	});

	test("goes on behind a half line, which is told", async () => {
		const [first = "", second = ""] = logged([
			create("mem_1", "user", "one"),
			create("mem_2", "user", "two"),
		]);
		const { memory, refused } = await trusted([first, second.slice(0, 30), second, second.slice(0, 12)]);
		expect([...memory.records.keys()]).toEqual(["mem_1", "mem_2"]);
		expect(refused.map((text) => Number.parseInt(text, 10))).toEqual([2, 4]);
	});

	test("that went on since adds what is new, and the same one nothing", async () => {
		const events = [create("mem_1", "user", "one"), create("mem_2", "model", "two")];
		const into = held("folder", keys);
		await takeIn(into, brought(logged(events)));
		expect(await takeIn(into, brought(logged(events)))).toMatchObject({ events: [], known: 2, refused: [] });
		const more = await takeIn(into, brought(logged([...events, create("mem_3", "user", "three")])));
		expect(more).toMatchObject({ known: 2, taken: [{ line: 3 }] });
		expect((await read(into)).memory.records.size).toBe(3);
	});

	test("of texts that may not be remembered brings the others, and nothing that is about those", async () => {
		const { memory, refused } = await trusted(
			logged([
				create("mem_1", "user", "x".repeat(8_001)),
				about("supersede", "mem_1", "user", { newRecordId: "mem_2", content: "shorter" }),
				about("pin", "mem_2", "user"),
				create("mem_3", "user", "password: hunter2hunter2"),
				create("mem_4", "user", "fine"),
			]),
		);
		expect([...memory.records.keys()]).toEqual(["mem_4"]);
		expect(refused.map((text) => Number.parseInt(text, 10))).toEqual([1, 2, 3, 4]);
	});
});
