import { describe, expect, test } from "vitest";
import { PROVISIONAL_MS } from "../../projections/memory/list.ts";
import { decideForget } from "../../src/commands/memory/forget.ts";
import { decideConfirm } from "../../src/commands/memory/keep.ts";
import { decideUpdate } from "../../src/commands/memory/propose.ts";
import { code, propose, proposed, remember, remembered } from "./deciding.ts";
import { GivenMemory, hashText, SOMEBODY } from "./given.ts";

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
