import { expect, test } from "vitest";
import { type HostMessage, ownersOf } from "../../src/adapters/pi/owners.ts";
import type { StandingHead } from "../../src/adapters/pi/standing-head.ts";
import { windowMessages } from "../../src/adapters/pi/window-messages.ts";

const user = (text: string, timestamp = 1): HostMessage => ({ role: "user", content: text, timestamp });
const fold = (text: string, at: number) => ({ kind: "fold" as const, text, at });
const raw = (id: string) => ({ kind: "entry" as const, id });

/** Folds A (a1, a2) and B (b1), the held entry h between them on the path, and fold C (c1). */
const STANDING: StandingHead = {
	node: "n",
	head: {
		commit: "c",
		parts: [raw("s"), fold("A", 10), fold("B", 20), raw("h"), fold("C", 30)],
		places: new Map([
			["s", 0],
			["a1", 1],
			["a2", 1],
			["h", 3],
			["b1", 2],
			["c1", 4],
		]),
		clips: new Map(),
		unthought: new Set(),
	},
	texts: new Map(["A", "B", "C"].map((text) => [text, `text of ${text}`])),
};

/** Shows a window in short: raw messages by their text, ours by their texts and time. An edit left no message of `-id`. */
function shown(entries: readonly (string | undefined)[]): string[] {
	const owned = entries
		.filter((entry) => !entry?.startsWith("-"))
		.map((entry, index) => ({ message: user(entry ?? `stranger ${index}`), entry }));
	const kept = entries.filter((entry) => entry !== undefined).map((entry) => entry.replace("-", ""));
	const projection = { entries: kept.map((id) => ({ sourceEntry: { id, type: "message" } })) };
	return windowMessages(STANDING, owned, projection).map((message) => {
		if (message.role !== "user") return message.role;
		if (typeof message.content === "string") return message.content;
		const texts = message.content.map((block) => (block.type === "text" ? block.text : ""));
		return `${message.timestamp}: ${texts.join(" + ")}`;
	});
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

test("messages equal in role and time are told apart by their order, or not at all", () => {
	const entry = (id: string, ...messages: HostMessage[]) => ({ sourceEntry: { id } as never, messages });
	const projection = { entries: [entry("1", user("a")), entry("2", user("b")), entry("3", user("c", 3))] };
	const ids = (messages: HostMessage[]) => ownersOf(messages, projection).map((owned) => owned.entry);
	expect(ids([user("a"), user("b"), user("c", 3)])).toEqual(["1", "2", "3"]);
	expect(ids([user("new", 7), user("a"), user("b"), user("c", 3)])).toEqual([undefined, "1", "2", "3"]);
	expect(ids([user("b"), user("c", 3)])).toEqual([undefined, "3"]);
});
