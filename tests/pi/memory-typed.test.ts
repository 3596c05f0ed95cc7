import { describe, expect, test } from "vitest";
import { typedForget, typedListing } from "../../src/adapters/pi/typed-memories.ts";
import { typedRemember } from "../../src/adapters/pi/typed-remember.ts";

const NOTHING = {
	files: [],
	confirm: [],
	unpin: [],
	mayLose: false,
	text: "",
	behind: [],
	misread: [],
	isPinWord: false,
};

describe("/remember", () => {
	test.each<readonly [typed: string, comesTo: object]>([
		["use tabs", { text: "use tabs" }],
		["pin use tabs", { pinned: true, text: "use tabs", isPinWord: true }],
		["pin", { pinned: true }],
		["pin:true kind:decision use tabs", { pinned: true, kind: "decision", text: "use tabs" }],
		["pin:false supersede:mem_1", { pinned: false, supersede: "mem_1" }],
		["KIND:fact x", { kind: "fact", text: "x" }],
		["kind:Fact x", { text: "kind:Fact x", misread: ["kind:Fact"] }],
		["kind:rumour x", { text: "kind:rumour x", misread: ["kind:rumour"] }],
		[
			"scope:galaxy priority:99 x kind:odd",
			{ text: "scope:galaxy priority:99 x kind:odd", misread: ["scope:galaxy", "priority:99", "kind:odd"] },
		],
		["-- kind:odd x", { text: "kind:odd x" }],
		["pin -- x", { pinned: true, text: "x" }],
		["colour:red is used", { text: "colour:red is used" }],
		["use the pin here", { text: "use the pin here" }],
		["use kind:fact here", { text: "use kind:fact here" }],
		['"pin" is a word', { text: '"pin" is a word' }],
		['"pin is a word"', { text: "pin is a word" }],
		['"kind:fact"', { text: "kind:fact" }],
		["-- pin is a word kind:fact", { text: "pin is a word kind:fact" }],
		["-- ", {}],
		['file:"a b/c.ts" file:d.ts  x', { files: ["a b/c.ts", "d.ts"], text: "x" }],
		["see file:d.ts", { text: "see file:d.ts" }],
		["file: is a key", { text: "file: is a key" }],
		["a\n\n  b\tc  \n", { text: "a\n\n  b\tc" }],
		["kind:fact\na\nb", { kind: "fact", text: "a\nb" }],
		[
			"a priority:high scope:session",
			{ text: "a", priority: "high", scope: "session", behind: ["priority:high", "scope:session"] },
		],
		["a supersede:mem_1", { text: "a", supersede: "mem_1", behind: ["supersede:mem_1"] }],
		["a supersede:that", { text: "a supersede:that" }],
		["a pin", { text: "a pin" }],
		["id:mem_1 a", { supersede: "mem_1", text: "a" }],
		["id:5 is the admin", { text: "id:5 is the admin" }],
		["confirm:mem_1,mem_2 confirm:mem_3", { confirm: ["mem_1", "mem_2", "mem_3"] }],
		["unpin:mem_1", { unpin: ["mem_1"] }],
		["kind:fact kind:decision a", { kind: "decision", text: "a" }],
		["losing:ok a", { mayLose: true, text: "a" }],
		['a "b kind:fact', { text: 'a "b', kind: "fact", behind: ["kind:fact"] }],
		["", {}],
	])("%j", (typed, comesTo) => {
		expect(typedRemember(typed)).toEqual({ ...NOTHING, ...comesTo });
	});
});

describe("/memories", () => {
	const list = { asks: "list", page: 1, words: "", misread: [] };
	test.each<readonly [typed: string, comesTo: object]>([
		["", list],
		["status:provisional", { ...list, status: "provisional" }],
		["status:nice port", { ...list, words: "status:nice port", misread: ["status:nice"] }],
		['kind:fact "exact phrase" page:2', { ...list, kind: "fact", page: 2, words: '"exact phrase"' }],
		["page:0", { ...list, words: "page:0", misread: ["page:0"] }],
		["mem_1", { asks: "record", id: "mem_1" }],
		["id:mem_1", { asks: "record", id: "mem_1" }],
		["mem_1 port", { ...list, words: "mem_1 port" }],
		["trust", { asks: "trust", ids: [], isAll: false }],
		["trust all", { asks: "trust", ids: [], isAll: true }],
		["trust mem_1 mem_2,mem_3", { asks: "trust", ids: ["mem_1", "mem_2", "mem_3"], isAll: false }],
		["trust nobody", { ...list, words: "trust nobody" }],
		['"trust"', { ...list, words: '"trust"' }],
	])("%j", (typed, comesTo) => {
		expect(typedListing(typed)).toEqual(comesTo);
	});
});

describe("/forget", () => {
	const forget = { does: "forget", ids: ["mem_1"], isSure: false, unknown: [] };
	test.each<readonly [typed: string, comesTo: object]>([
		["mem_1", forget],
		["id:mem_1", forget],
		["mem_1,mem_2 mem_1", { ...forget, ids: ["mem_1", "mem_2"] }],
		["undo:mem_1", { ...forget, does: "undo" }],
		["undo mem_1", { ...forget, does: "undo" }],
		["shred:mem_1 yes", { ...forget, does: "shred", isSure: true }],
		["that thing", { ...forget, ids: [], unknown: ["that", "thing"] }],
		["", { ...forget, ids: [] }],
	])("%j", (typed, comesTo) => {
		expect(typedForget(typed)).toEqual(comesTo);
	});
});
