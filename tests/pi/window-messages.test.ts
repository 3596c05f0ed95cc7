import fc from "fast-check";
import { expect, test } from "vitest";
import type { HostMessage } from "../../src/adapters/pi/host-messages.ts";
import type { StandingHead } from "../../src/adapters/pi/standing-head.ts";
import { WindowMessages } from "../../src/adapters/pi/window-messages.ts";
import { PathSession } from "./path-session.ts";

const user = (text: string, timestamp: number): HostMessage => ({ role: "user", content: text, timestamp });
const fold = (text: string, at: number) => ({ kind: "fold" as const, text, at });
const raw = (id: string) => ({ kind: "entry" as const, id });

/** Folds A (a1, a2) and B (b1), the held entry h between them on the path, and fold C (c1). */
const STANDING: StandingHead = {
	node: "n",
	head: {
		decision: "c",
		parts: [raw("s"), fold("A", 10), fold("B", 20), raw("h"), fold("C", 30)],
		places: new Map([
			["s", 0],
			["a1", 1],
			["a2", 1],
			["h", 3],
			["b1", 2],
			["c1", 4],
		]),
		within: new Map([["h", 2]]),
		clips: new Map(),
		unthought: new Set(),
	},
	texts: new Map(["A", "B", "C"].map((text) => [text, `text of ${text}`])),
	edits: new Set(),
	lastEdit: null,
	shredded: 0,
};

/** Shows a window in short: raw messages by their text, ours by their texts and time. */
function inShort(messages: readonly HostMessage[]): string[] {
	return messages.map((message) => {
		if (message.role !== "user") return message.role;
		if (typeof message.content === "string") return message.content;
		const texts = message.content.map((block) => (block.type === "text" ? block.text : ""));
		return `${message.timestamp}: ${texts.join(" + ")}`;
	});
}

/**
 * The window of a session with these entries, an `undefined` being a stranger's message; of `-id` an edit left none, and
 * what stands knows of that unless `isNews`.
 */
function shown(entries: readonly (string | undefined)[], isNews = false): string[] {
	const session = new PathSession();
	const messages: HostMessage[] = [];
	for (const [at, name] of entries.entries()) {
		const message = user(name ?? `stranger ${at}`, at + 100);
		if (!name?.startsWith("-")) messages.push(message);
		if (name !== undefined) session.append({ type: "message", id: name.replace("-", ""), message });
	}
	const edits = entries.flatMap((name) =>
		name?.startsWith("-")
			? session.append({ type: "context_edit", targetId: name.slice(1), replacement: null })
			: [],
	);
	const standing = { ...STANDING, edits: new Set(isNews ? [] : edits) };
	return inShort(new WindowMessages().of(session, standing, messages));
}

test("adjacent folds are one message, and a held entry follows the fold it lies in", () => {
	expect(shown(["s", "a1", "h", "a2", "b1", "c1", "x", "y"])).toEqual([
		"s",
		"10: text of A + text of B",
		"h",
		"30: text of C",
		"x",
		"y",
	]);
});

test("a message that is nobody's stays behind what it stood behind, and parts the folds there", () => {
	expect(shown([undefined, "s", "a1", undefined, "b1", "h", undefined, "c1", "x"])).toEqual([
		"stranger 0",
		"s",
		"10: text of A",
		"stranger 3",
		"20: text of B",
		"h",
		"stranger 6",
		"30: text of C",
		"x",
	]);
});

test("a fold none of whose entries the host keeps is not shown, and keeps its time where one is", () => {
	expect(shown(["summary", "a2", "c1", "x"])).toEqual(["summary", "10: text of A + text of C", "x"]);
	expect(shown(["summary", "x"])).toEqual(["summary", "x"]);
	expect(shown(["summary", "-c1", "x"])).toEqual(["summary", "30: text of C", "x"]);
});

test("a fold does not stand for what was edited since its text was written: what is left of it is raw", () => {
	const entries = ["s", "-a1", "a2", "b1", "h", "c1", "x"];
	expect(shown(entries)).toEqual(["s", "10: text of A + text of B", "h", "30: text of C", "x"]);
	expect(shown(entries, true)).toEqual(["s", "a2", "20: text of B", "h", "30: text of C", "x"]);
});

test("what is made of one request does not change the next, even where others changed it", () => {
	const session = new PathSession();
	const windows = new WindowMessages();
	const made: string[][] = [];
	for (const ids of [["s", "a1", "h", "a2", "b1", "c1"], ["x"], [], ["y", "z"]]) {
		for (const id of ids)
			session.append({ type: "message", id, message: user(id, session.ids().length + 100) });
		const messages = session.projected().map(({ message }) => message);
		const window = windows.of(session, STANDING, messages);
		made.push(inShort(window));
		for (const message of window) {
			if (message.role === "user" && typeof message.content !== "string") message.content.length = 0;
			message.timestamp = 0;
		}
	}
	const head = ["s", "10: text of A + text of B", "h", "30: text of C"];
	expect(made).toEqual([head, [...head, "x"], [...head, "x"], [...head, "x", "y", "z"]]);
});

test("a result goes out behind its call only, however far above that is", () => {
	const session = new PathSession();
	const call = (id: string) => ({ role: "assistant", content: [{ type: "toolCall", id }] });
	const result = (id: string) => ({ role: "toolResult", toolCallId: id, content: [] });
	const said = [call("1"), call("2"), result("1"), result("2"), result("3"), result("2")];
	for (const [at, message] of said.entries())
		session.append({ type: "message", message: { ...message, timestamp: at } });
	const messages = session.projected().map(({ message }) => message);
	const window = new WindowMessages().of(session, STANDING, messages);
	expect(window.map(({ timestamp }) => timestamp)).toEqual([0, 1, 2, 3, 5]);
});

test("kept from request to request, a window is the one made anew, whatever came to the session between", () => {
	const does = fc.constantFrom("user", "call", "call", "result", "result", "omit", "compact", "move");
	const script = fc.array(fc.record({ does, which: fc.nat(500), asks: fc.boolean() }), { maxLength: 40 });
	const seen = { folded: 0, orphans: 0 };
	const property = fc.property(script, (steps) => {
		const session = new PathSession();
		const windows = new WindowMessages();
		const message = (more: object) =>
			session.append({ type: "message", message: { content: [], timestamp: session.ids().length, ...more } });
		for (const id of ["s", "a1", "h", "a2", "b1", "c1"])
			session.append({ type: "message", id, message: user(id, session.ids().length) });
		for (const { does, which, asks } of steps) {
			const ids = session.ids();
			const pick = ids[which % ids.length] ?? null;
			const call = `call ${which % 3}`;
			if (does === "user") message({ role: "user" });
			if (does === "call") message({ role: "assistant", content: [{ type: "toolCall", id: call }] });
			if (does === "result") message({ role: "toolResult", toolCallId: call });
			if (does === "omit") session.append({ type: "context_edit", targetId: pick, replacement: null });
			if (does === "compact")
				session.append({ type: "compaction", summary: "so far", firstKeptEntryId: pick, tokensBefore: 1 });
			// the head stands only below the entries it folds
			if (does === "move") session.leaf = ids[5 + (which % (ids.length - 5))] ?? null;
			if (!asks) continue;
			const messages = session.projected().map((projected) => projected.message);
			const anew = new WindowMessages().of(session, STANDING, messages);
			expect(windows.of(session, STANDING, messages)).toEqual(anew);
			const raw = messages.filter(({ role }) => role === "toolResult");
			if (inShort(anew).some((text) => text.includes("text of"))) seen.folded++;
			if (anew.filter(({ role }) => role === "toolResult").length < raw.length) seen.orphans++;
		}
	});
	fc.assert(property, { numRuns: 300 });
	expect(seen.folded).toBeGreaterThan(300);
	expect(seen.orphans).toBeGreaterThan(100);
});

test("a message others put in where raw ones stand goes out there, and one put in place of a folded one is left alone", () => {
	const session = new PathSession();
	for (const [at, id] of ["s", "a1", "h", "a2", "b1", "c1", "x", "y"].entries())
		session.append({ type: "message", id, message: user(id, at + 100) });
	const windows = new WindowMessages();
	const messages = () => session.projected().map(({ message }) => message);
	const folded = ["s", "10: text of A + text of B", "h", "30: text of C"];
	expect(inShort(windows.of(session, STANDING, messages()))).toEqual([...folded, "x", "y"]);
	const stranger = user("stranger", 7);
	const withIn = (at: number, gone: number) => messages().toSpliced(at, gone, stranger);
	expect(inShort(windows.of(session, STANDING, withIn(7, 0)))).toEqual([...folded, "x", "stranger", "y"]);
	expect(inShort(windows.of(session, STANDING, withIn(7, 1)))).toEqual([...folded, "x", "stranger"]);
	const inFold = ["s", "10: text of A + text of B", "h", "stranger", "30: text of C", "x", "y"];
	expect(inShort(windows.of(session, STANDING, withIn(4, 1)))).toEqual(inFold);
	expect(inShort(windows.of(session, STANDING, messages()))).toEqual([...folded, "x", "y"]);
});
