import { describe, expect, test } from "vitest";
import { PROVISIONAL_MS } from "../../projections/memory/list.ts";
import { hasAuthority } from "../../projections/memory/record.ts";
import { decideDerive, decideRetire } from "../../src/commands/memory/derive.ts";
import { decideForget, decideRestore, decideShred } from "../../src/commands/memory/forget.ts";
import { decideConfirm, decidePin, decideUnpin } from "../../src/commands/memory/keep.ts";
import { decidePropose, decideUpdate, type Propose } from "../../src/commands/memory/propose.ts";
import { decideRemember, type Remember } from "../../src/commands/memory/remember.ts";
import { decideTrust } from "../../src/commands/memory/trust.ts";
import { GivenMemory, hashText, SOMEBODY } from "./given.ts";

function remember(given: GivenMemory, text: string, more: Partial<Remember> = {}) {
	return decideRemember(given, { ...SOMEBODY, id: given.id(), text, ...more });
}

function propose(given: GivenMemory, text: string, more: Partial<Propose> = {}) {
	return decidePropose(given, { ...SOMEBODY, id: given.id(), text, ...more });
}

function remembered(given: GivenMemory, text: string, more: Partial<Remember> = {}): string {
	return given.write(remember(given, text, more), "user");
}

function proposed(given: GivenMemory, text: string, more: Partial<Propose> = {}): string {
	return given.write(propose(given, text, more), "model", more.now ?? 0);
}

function code(act: () => unknown): string | undefined {
	try {
		act();
		return undefined;
	} catch (error) {
		return (error as { code?: string }).code;
	}
}

describe("remember", () => {
	test("a text becomes an active record of the user's", () => {
		const given = new GivenMemory();
		const id = remembered(given, "  Use tabs ", { kind: "preference", files: ["a.ts", "a.ts"] });
		expect(given.record(id)).toMatchObject({
			kind: "preference",
			scope: "workspace",
			priority: "normal",
			status: "active",
			author: "user",
			body: hashText("Use tabs"),
			chars: 8,
			files: ["a.ts"],
			provenance: "user:/remember",
		});
		expect(given.text(hashText("Use tabs"))).toBe("Use tabs");
	});

	test("a pinned one is pinned in the same event", () => {
		const given = new GivenMemory();
		expect(given.record(remembered(given, "Use tabs", { pinned: true }))?.status).toBe("pinned");
		expect(given.facts).toHaveLength(1);
	});

	test.each([
		["", "MEMORY_EMPTY"],
		[" \n\t ", "MEMORY_EMPTY"],
		["x".repeat(8001), "MEMORY_TOO_LONG"],
		["the password: hunter2", "MEMORY_SECRET"],
	])("what may not be remembered is refused and nothing is cut: %.20s", (text, expected) => {
		expect(code(() => remember(new GivenMemory(), text))).toBe(expected);
	});

	test("8,000 characters are not too long", () => {
		expect(remember(new GivenMemory(), `${"word ".repeat(1600).slice(0, 7999)}x`).events).toHaveLength(1);
	});

	test("a refusal names the kind of secret, never its value", () => {
		expect(() => remember(new GivenMemory(), "api_key = ZXCV-9911-qwer")).toThrow(
			/named as a password, token or key/,
		);
		expect(() => remember(new GivenMemory(), "api_key = ZXCV-9911-qwer")).not.toThrow(/ZXCV/);
	});

	test("a record of scope session needs a session", () => {
		const place = { scope: "session", session: undefined } as const;
		expect(code(() => remember(new GivenMemory(), "a", place))).toBe("MEMORY_NO_SESSION");
		expect(code(() => propose(new GivenMemory(), "a", { ...place, session: "" }))).toBe("MEMORY_NO_SESSION");
	});

	test("a text that is remembered already is left alone, and its id given", () => {
		const given = new GivenMemory();
		const id = remembered(given, "Use tabs");
		expect(remember(given, " Use\n tabs ")).toMatchObject({ events: [], bodies: [], id });
	});

	test("the same text of another scope or session is another record", () => {
		const given = new GivenMemory();
		remembered(given, "Use tabs");
		remembered(given, "Use tabs", { scope: "session" });
		remembered(given, "Use tabs", { scope: "session", session: "s2" });
		expect(given.memory.records.size).toBe(3);
	});

	test("of a text that is remembered already only what is new is written", () => {
		const given = new GivenMemory();
		const id = remembered(given, "Use tabs");
		expect(remember(given, "Use tabs", { pinned: true }).events).toEqual([
			{ type: "memory/pinned", data: { id } },
		]);
		const [event] = remember(given, "Use tabs", { kind: "constraint" }).events;
		expect(event).toMatchObject({ type: "memory/superseded", data: { id, record: { kind: "constraint" } } });
	});

	test("what the model proposed becomes the user's when he says it", () => {
		const given = new GivenMemory();
		const proposal = proposed(given, "Use tabs", { kind: "preference" });
		const id = remembered(given, "Use tabs");
		expect(given.record(proposal)?.status).toBe("superseded");
		expect(given.record(id)).toMatchObject({
			status: "active",
			author: "user",
			kind: "preference",
			version: 2,
		});
	});

	test("what he says too is told as he says, and not as the model or another store would have it", () => {
		const given = new GivenMemory();
		proposed(given, "Use tabs", { files: ["never/touched.ts"], priority: "low" });
		expect(given.record(remembered(given, "Use tabs"))).toMatchObject({ files: [], priority: "normal" });
		proposed(given, "Use npm", { files: ["package.json"] });
		const id = remembered(given, "Use npm", { files: ["docs"], priority: "high" });
		expect(given.record(id)).toMatchObject({ files: ["docs"], priority: "high" });
	});

	test("what was forgotten can be remembered anew", () => {
		const given = new GivenMemory();
		const first = remembered(given, "Use tabs");
		given.write(decideForget(given, { ...SOMEBODY, id: first }), "user");
		expect(given.record(remembered(given, "Use tabs"))?.status).toBe("active");
	});

	test("names beyond 64 or 4,096 characters are left out, and it is said", () => {
		const many = Array.from({ length: 80 }, (_, n) => `e${n}`);
		const decision = remember(new GivenMemory(), "a", { sources: [...many, ...many] });
		expect(decision.notes).toEqual([expect.stringContaining("16 of 80 sources")]);
		const long = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(500));
		const { events } = remember(new GivenMemory(), "a", { sources: long });
		expect(events).toMatchObject([{ data: { sources: long.slice(0, 8) } }]);
	});

	test("what it contradicts and what is near it is pointed out", () => {
		const given = new GivenMemory();
		const never = remembered(given, "Never use tabs for indentation");
		const near = remembered(given, "Run the whole test suite before each commit");
		const { notes } = remember(
			given,
			"Always use tabs for indentation\nRun the whole test suite before every commit",
		);
		expect(notes).toEqual([expect.stringContaining(never)]);
		const again = remember(given, "Run the whole test suite before each commit, please");
		expect(again.notes).toEqual([expect.stringContaining(near)]);
	});
});

describe("supersede", () => {
	test("what is not named stays, the pin too", () => {
		const given = new GivenMemory();
		const old = remembered(given, "Use tabs", {
			kind: "constraint",
			priority: "high",
			pinned: true,
			scope: "session",
			files: ["a.ts"],
			sources: ["e1"],
			sourceHash: "h",
		});
		const id = remembered(given, "Use two tabs", { supersede: old });
		expect(given.record(id)).toMatchObject({
			kind: "constraint",
			priority: "high",
			status: "pinned",
			scope: "session",
			session: "s1",
			files: ["a.ts"],
			sources: ["e1"],
			sourceHash: "h",
			supersedes: old,
			version: 2,
		});
		expect(given.record(old)).toMatchObject({ status: "superseded", supersededBy: id });
	});

	test("an empty text keeps the old one", () => {
		const given = new GivenMemory();
		const old = remembered(given, "Use tabs");
		const id = remembered(given, "", { supersede: old, priority: "high" });
		expect(given.record(id)).toMatchObject({ body: hashText("Use tabs"), priority: "high" });
		expect(remember(given, "", { supersede: id }).events).toEqual([]);
	});

	test("what the session cannot see, what is over, and another scope are refused", () => {
		const given = new GivenMemory();
		const foreign = remembered(given, "a", { scope: "session", session: "s2" });
		expect(code(() => remember(given, "b", { supersede: foreign }))).toBe("MEMORY_NOT_FOUND");
		expect(code(() => remember(given, "b", { supersede: "mem_none" }))).toBe("MEMORY_NOT_FOUND");
		const old = remembered(given, "b");
		expect(code(() => remember(given, "c", { supersede: old, scope: "session" }))).toBe("MEMORY_SCOPE");
		remembered(given, "c", { supersede: old });
		expect(code(() => remember(given, "d", { supersede: old }))).toBe("MEMORY_OVER");
	});

	test("what the new text would lose is told", () => {
		const given = new GivenMemory();
		const old = remembered(given, "The port is 3000.\nNever push to `main`.");
		expect(remember(given, "The port is free.", { supersede: old }).losses).toEqual(
			[expect.stringContaining("Never push"), "the value main", "the value 3000"].sort(),
		);
	});
});

describe("propose and update", () => {
	test("a proposal stays provisional and is made once", () => {
		const given = new GivenMemory();
		const id = proposed(given, "Use tabs");
		expect(given.record(id)).toMatchObject({ status: "provisional", author: "model" });
		expect(propose(given, "Use tabs")).toMatchObject({ events: [], id });
	});

	test("what was refused or stands is not proposed again", () => {
		const given = new GivenMemory();
		const id = proposed(given, "Use tabs");
		given.write(decideForget(given, { ...SOMEBODY, id }), "user");
		expect(propose(given, "Use tabs")).toMatchObject({ events: [], id });
		const users = remembered(given, "Use spaces");
		expect(propose(given, "Use spaces")).toMatchObject({ events: [], id: users });
	});

	test("a proposal that expired may be made again", () => {
		const given = new GivenMemory();
		const old = proposed(given, "Use tabs");
		const now = PROVISIONAL_MS + 1;
		const id = proposed(given, "Use tabs", { now });
		expect(given.record(old)?.status).toBe("superseded");
		expect(given.record(id)).toMatchObject({ status: "provisional", author: "model", updatedAt: now });
	});

	test("the model changes and resolves its own proposals, whichever session made them", () => {
		const given = new GivenMemory();
		const old = proposed(given, "Use tabs", { session: "s2" });
		const update = { ...SOMEBODY, record: old, id: given.id() };
		const id = given.write(decideUpdate(given, { ...update, action: "edit", text: "Use two tabs" }), "model");
		expect(id).not.toBe(old);
		expect(given.record(id)).toMatchObject({ status: "provisional", author: "model", supersedes: old });
		given.write(decideUpdate(given, { ...update, record: id, action: "resolve" }), "model");
		expect(given.record(id)).toMatchObject({ status: "resolved", why: "model:withdraw" });
	});

	test("the model touches nothing else", () => {
		const given = new GivenMemory();
		const users = remembered(given, "Use tabs");
		const confirmed = proposed(given, "Use spaces");
		given.write(decideConfirm(given, { ...SOMEBODY, ids: [confirmed] }), "user");
		const foreign = proposed(given, "Use both", { scope: "session", session: "s2" });
		const edit = (record: string) => () =>
			decideUpdate(given, { ...SOMEBODY, record, id: given.id(), action: "resolve" });
		expect(code(edit(users))).toBe("MEMORY_NOT_YOURS");
		expect(code(edit(confirmed))).toBe("MEMORY_NOT_YOURS");
		expect(code(edit(foreign))).toBe("MEMORY_NOT_FOUND");
	});

	test("an edit needs a text, and the same text is no edit", () => {
		const given = new GivenMemory();
		const record = proposed(given, "Use tabs");
		const edit = { ...SOMEBODY, record, id: given.id(), action: "edit" } as const;
		expect(code(() => decideUpdate(given, edit))).toBe("MEMORY_EMPTY");
		expect(decideUpdate(given, { ...edit, text: "Use tabs" })).toMatchObject({ events: [], id: record });
	});
});

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

	test("all means those without proof, never forged ones, by place and hash", () => {
		const given = suspicious();
		const decision = decideTrust(given, { positions: "all" });
		expect(decision.events).toEqual([
			{
				type: "memory/trusted",
				data: { events: [0, 2].map((position) => ({ position, hash: `hash-${position}` })) },
			},
		]);
		expect(decision.notes).toEqual([expect.stringContaining("1 forged event stays")]);
		given.write(decision, "user");
		expect([...given.memory.records.values()].map(hasAuthority)).toEqual([true, true]);
		expect(code(() => decideTrust(given, { positions: "all" }))).toBe("MEMORY_NOTHING_TO_DO");
	});

	test("only what was looked at is vouched for", () => {
		const given = suspicious();
		const { suspects } = given.memory;
		given.write(remember(given, "slipped in"), "user", 0, "unverified");
		const [event] = decideTrust(given, { positions: "all", listed: suspects }).events;
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
		expect(code(() => decideTrust(suspicious(), { positions: [1] }))).toBe("MEMORY_FORGED");
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
