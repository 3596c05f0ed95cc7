import { expect, test } from "vitest";
import { eachNeed, needs } from "../../src/debug/needs.ts";
import type { TrajectoryRequest } from "../../src/debug/trajectory.ts";
import { fold, path, replied, view } from "./trajectories.ts";

function namesOf(trajectory: readonly TrajectoryRequest[]): string[] {
	const names: string[] = [];
	eachNeed(trajectory, ({ name, met }) => names.push(met ? `${name} (met)` : name));
	return names;
}

test("a name in prose or arguments is a need when only hidden entries hold it", () => {
	const entries = path(
		"user: see readHead and readTail",
		"result: src/keys.ts",
		"user: readTail",
		"assistant: readHead, readTail ! cat src/keys.ts",
	);
	expect(namesOf([replied(view(entries, 2), 3)])).toEqual(["readHead", "src/keys.ts"]);
	expect(namesOf([replied(view(entries, 0), 3)])).toEqual([]);
});

test("a name no entry ever held is no need", () => {
	expect(namesOf([replied(view(path("user: hello", "assistant: brandNew"), 1), 1)])).toEqual([]);
});

test("a fold's text or what is left of a clipped result meets a need", () => {
	const entries = path(
		"result: firstName",
		"result: secondName thirdName",
		"assistant: firstName secondName thirdName",
	);
	const window = view(entries, 1, {
		texts: [fold(0, 0, "Ran.\nbash: firstName")],
		clipped: new Map([["e1", "secondName"]]),
	});
	expect(namesOf([replied(window, 2)])).toEqual(["firstName (met)", "secondName (met)", "thirdName"]);
	expect(needs([replied(window, 2)])).toEqual({ hiddenNeeds: 3, unmetNeeds: 1 });
});

test("a kept entry and a system message are in view wherever they stand", () => {
	const entries = path(
		"system: useTabs",
		"user: keptName",
		"result: goneName",
		"assistant: useTabs keptName goneName",
	);
	expect(namesOf([replied(view(entries, 3, { kept: new Set(["e1"]) }), 3)])).toEqual(["goneName"]);
});

test("a name counts once a hiding: again only after an entry held it and was hidden", () => {
	const entries = path(
		"result: someName",
		"assistant: someName",
		"assistant: someName",
		"user: go on",
		"assistant: someName",
	);
	const early = view(entries, 1);
	expect(needs([replied(early, 1), replied(early, 2)]).hiddenNeeds).toBe(1);
	expect(needs([replied(early, 1), replied(view(entries, 3), 4)]).hiddenNeeds).toBe(2);
});

test("a path that holds a name as whole segments holds it, a longer word does not", () => {
	const held = path("result: packages/store/keys.ts readHeads", "assistant: store/keys.ts readHead");
	expect(namesOf([replied(view(held, 1), 1)])).toEqual(["store/keys.ts"]);
});

test("replies that were cut off never reached a request", () => {
	const entries = path("assistant: lostName", "user: hm", "assistant: lostName").map((entry, i) =>
		i === 0 ? { ...entry, stop: "aborted" as const } : entry,
	);
	expect(namesOf([replied(view(entries, 1), 2)])).toEqual([]);
});

test("a path that grew is read on from where it was", () => {
	const entries = path("result: oldName", "user: go", "assistant: oldName");
	expect(namesOf([replied(view(entries, 1), 2)])).toEqual(["oldName"]);
	const [more] = path("assistant: laterName oldName");
	entries.push(...path("result: laterName"), more as (typeof entries)[number]);
	expect(namesOf([replied(view(entries, 4), 4)])).toEqual(["laterName", "oldName"]);
});
