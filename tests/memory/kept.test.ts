import { describe, expect, test } from "vitest";
import { hasAuthority } from "../../projections/memory/record.ts";
import { decideDerive, decideRetire } from "../../src/commands/memory/derive.ts";
import { decideForget, decideRestore, decideShred } from "../../src/commands/memory/forget.ts";
import { decideConfirm, decidePin, decideUnpin } from "../../src/commands/memory/keep.ts";
import { decideTrust } from "../../src/commands/memory/trust.ts";
import { code, propose, proposed, remember, remembered } from "./deciding.ts";
import { GivenMemory, hashText, SOMEBODY } from "./given.ts";

describe("confirm, pin, unpin", () => {
	test("several proposals are confirmed at once, and twice does no more", () => {
		const given = new GivenMemory();
		const ids = [proposed(given, "a b"), proposed(given, "c d")];
		const confirm = () => decideConfirm(given, { ...SOMEBODY, ids });
		given.write(confirm(), "user");
		for (const id of ids) expect(given.record(id)).toMatchObject({ status: "active", author: "user" });
		expect(confirm().events).toEqual([]);
	});

	test("all are confirmed or none", () => {
		const given = new GivenMemory();
		const id = proposed(given, "a b");
		expect(code(() => decideConfirm(given, { ...SOMEBODY, ids: [id, "mem_none"] }))).toBe("MEMORY_NOT_FOUND");
		expect(code(() => decideConfirm(given, { ...SOMEBODY, ids: [] }))).toBe("MEMORY_NOTHING_TO_DO");
	});

	test("nobody confirms what he cannot read", () => {
		const given = new GivenMemory();
		const id = proposed(given, "a b");
		given.texts.clear();
		expect(code(() => decideConfirm(given, { ...SOMEBODY, ids: [id] }))).toBe("MEMORY_UNREADABLE");
	});

	test("a pin is set and taken back once, and confirms what was provisional", () => {
		const given = new GivenMemory();
		const id = proposed(given, "a b");
		given.write(decidePin(given, { ...SOMEBODY, id }), "user");
		expect(given.record(id)).toMatchObject({ status: "pinned", author: "user" });
		expect(decidePin(given, { ...SOMEBODY, id }).events).toEqual([]);
		given.write(decideUnpin(given, { ...SOMEBODY, id }), "user");
		expect(given.record(id)?.status).toBe("active");
		expect(decideUnpin(given, { ...SOMEBODY, id }).events).toEqual([]);
	});
});

describe("forget, restore, shred", () => {
	test("a forgotten record is as it was when the forgetting is taken back", () => {
		const given = new GivenMemory();
		const id = remembered(given, "a", { pinned: true });
		given.write(decideForget(given, { ...SOMEBODY, id }), "user");
		expect(given.record(id)?.status).toBe("resolved");
		expect(decideForget(given, { ...SOMEBODY, id }).events).toEqual([]);
		given.write(decideRestore(given, { ...SOMEBODY, id }), "user");
		expect(given.record(id)?.status).toBe("pinned");
		expect(decideRestore(given, { ...SOMEBODY, id }).events).toEqual([]);
	});

	test("whoever made it, a record that is visible can be forgotten, and no other", () => {
		const given = new GivenMemory();
		const models = proposed(given, "a");
		given.write(decideForget(given, { ...SOMEBODY, id: models }), "user");
		expect(given.record(models)?.status).toBe("resolved");
		const foreign = remembered(given, "b", { scope: "session", session: "s2" });
		expect(code(() => decideForget(given, { ...SOMEBODY, id: foreign }))).toBe("MEMORY_NOT_FOUND");
	});

	test("what is superseded can be neither forgotten nor restored", () => {
		const given = new GivenMemory();
		const id = remembered(given, "a");
		remembered(given, "b", { supersede: id });
		expect(code(() => decideForget(given, { ...SOMEBODY, id }))).toBe("MEMORY_OVER");
		expect(code(() => decideRestore(given, { ...SOMEBODY, id }))).toBe("MEMORY_OVER");
	});

	test("a shredded text is gone with every record that has it, and may not come back", () => {
		const given = new GivenMemory();
		const id = remembered(given, "gone for good");
		const copy = proposed(given, "gone for good", { scope: "session" });
		const decision = decideShred(given, { ...SOMEBODY, id });
		expect(decision.events.at(-1)).toEqual({
			type: "payload/shredded",
			data: { contents: [hashText("gone for good")], records: [id, copy] },
		});
		given.write(decision, "user");
		for (const each of [id, copy])
			expect(given.record(each)).toMatchObject({ status: "resolved", isShredded: true });
		expect(decideShred(given, { ...SOMEBODY, id }).events).toEqual([]);
		expect(code(() => remember(given, "gone for good"))).toBe("MEMORY_SHREDDED");
		expect(code(() => propose(given, " gone for good"))).toBe("MEMORY_SHREDDED");
		expect(code(() => decideRestore(given, { ...SOMEBODY, id }))).toBe("MEMORY_SHREDDED");
		const other = new GivenMemory();
		other.beside = [given.memory];
		expect(code(() => remember(other, "gone for good"))).toBe("MEMORY_SHREDDED");
	});

	test("a superseded text can be shredded, and what came of it is named", () => {
		const given = new GivenMemory();
		const old = remembered(given, "first words");
		const id = remembered(given, "other words", { supersede: old });
		const decision = decideShred(given, { ...SOMEBODY, id: old });
		expect(decision.events.map(({ type }) => type)).toEqual(["payload/shredded"]);
		expect(decision.notes).toEqual([expect.stringContaining(id)]);
	});
});

describe("trust", () => {
	function suspicious(): GivenMemory {
		const given = new GivenMemory();
		given.write(remember(given, "unproved"), "user", 0, "unverified");
		given.write(remember(given, "made up"), "user", 0, "forged");
		given.write(remember(given, "unproved too"), "user", 0, "unverified");
		return given;
	}

	test("those that are named are vouched for, once each, by place and hash", () => {
		const given = suspicious();
		const { suspects: listed } = given.memory;
		const decision = decideTrust(given, { positions: [2, 0, 2], listed });
		expect(decision.events).toEqual([
			{
				type: "memory/trusted",
				data: { events: [0, 2].map((position) => ({ position, hash: `hash-${position}` })) },
			},
		]);
		given.write(decision, "user");
		expect([...given.memory.records.values()].map(hasAuthority)).toEqual([true, true]);
		expect(code(() => decideTrust(given, { positions: [], listed }))).toBe("MEMORY_NOTHING_TO_DO");
		expect(code(() => decideTrust(given, { positions: [0], listed }))).toBe("MEMORY_NOT_FOUND");
	});

	test("only what was looked at is vouched for", () => {
		const given = suspicious();
		const { suspects } = given.memory;
		given.write(remember(given, "slipped in"), "user", 0, "unverified");
		const [event] = decideTrust(given, { positions: [0, 2], listed: suspects }).events;
		expect(event).toMatchObject({ data: { events: [{ position: 0 }, { position: 2 }] } });
		expect(code(() => decideTrust(given, { positions: [3], listed: suspects }))).toBe("MEMORY_NOT_FOUND");
		const changed = suspects.map((suspect) => ({ ...suspect, hash: "other" }));
		expect(code(() => decideTrust(given, { positions: [0], listed: changed }))).toBe("MEMORY_NOT_FOUND");
	});

	test("a suspect names the text it would have stand", () => {
		const given = suspicious();
		const [{ body } = {}] = given.memory.suspects;
		expect(given.memory.records.get(given.memory.suspects[0]?.id ?? "")?.body).toBe(body);
	});

	test("nobody vouches for what is forged", () => {
		const given = suspicious();
		const { suspects: listed } = given.memory;
		expect(code(() => decideTrust(given, { positions: [1], listed }))).toBe("MEMORY_FORGED");
	});
});

describe("derive", () => {
	const draft = (text: string, rule: "file" | "tests" | "sentence" | "command" = "file") => ({
		id: `mem_rule_${hashText(text).slice(0, 16)}`,
		rule,
		kind: "derived" as const,
		text,
		sources: ["e1"],
	});

	test("drafts become provisional records of the session, of low priority, once", () => {
		const given = new GivenMemory();
		const drafts = [draft("file: a.ts"), draft("file: a.ts"), draft("tests: 3 passed, 0 failed", "tests")];
		given.write(decideDerive(given, drafts, SOMEBODY), "rule");
		const records = [...given.memory.records.values()];
		expect(records).toHaveLength(2);
		expect(records[0]).toMatchObject({
			status: "provisional",
			author: "rule",
			scope: "session",
			session: "s1",
			priority: "low",
			provenance: "rule:file",
		});
		expect(decideDerive(given, drafts, SOMEBODY).events).toEqual([]);
	});

	test("what was forgotten, what stands, and what may be secret is not derived", () => {
		const given = new GivenMemory();
		given.write(decideDerive(given, [draft("file: a.ts")], SOMEBODY), "rule");
		const [record] = given.memory.records.keys();
		given.write(decideForget(given, { ...SOMEBODY, id: record ?? "" }), "user");
		const workspace = new GivenMemory();
		remembered(workspace, "Always use  tabs");
		given.beside = [workspace.memory];
		for (const [digest, text] of workspace.texts) given.texts.set(digest, text);
		const drafts = [
			draft("file: a.ts"),
			draft("Always use tabs", "sentence"),
			draft("command: deploy --token abcd1234", "command"),
		];
		expect(decideDerive(given, drafts, SOMEBODY).events).toEqual([]);
	});

	test("without a session nothing is derived", () => {
		const decision = decideDerive(new GivenMemory(), [draft("file: a.ts")], { ...SOMEBODY, session: "" });
		expect(decision.events).toEqual([]);
	});

	test("files starve neither tests nor sentences at 50 a run", () => {
		const files = Array.from({ length: 200 }, (_, n) => draft(`file: f${n}.ts`));
		const others = [draft("tests: 1 passed, 0 failed", "tests"), draft("Always use tabs", "sentence")];
		const { events, notes } = decideDerive(new GivenMemory(), [...others, ...files], SOMEBODY);
		expect(events).toHaveLength(50);
		const rules = events.map(({ data }) => (data as { provenance: string }).provenance);
		expect(rules.filter((rule) => rule !== "rule:file")).toEqual(["rule:tests", "rule:sentence"]);
		expect(notes).toEqual([expect.stringContaining("152 more")]);
	});

	test("older versions' records of the workspace that say the same are resolved, and no others", () => {
		const given = new GivenMemory();
		const body = (text: string) => {
			given.texts.set(hashText(text), text);
			return { body: hashText(text), chars: text.length, files: [], sources: [] };
		};
		const place = { scope: "workspace", priority: "low", provenance: "rule:file" } as const;
		const kind = "derived";
		remembered(given, "file: a.ts");
		given.event(
			{ type: "memory/derived", data: { id: "mem_rule_1", kind, ...place, ...body("file:  a.ts") } },
			"rule",
		);
		given.event(
			{ type: "memory/derived", data: { id: "mem_rule_2", kind, ...place, ...body("file: b.ts") } },
			"rule",
		);
		given.write(decideRetire(given, [draft("file: a.ts")]), "rule");
		expect([...given.memory.records.values()].map(({ status }) => status)).toEqual([
			"active",
			"resolved",
			"provisional",
		]);
		expect(decideRetire(given, [draft("file: a.ts")]).events).toEqual([]);
	});
});
