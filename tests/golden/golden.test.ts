import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { digestOfStates, meaningOf, parseGolden } from "./golden-log.ts";

const here = new URL("./", import.meta.url);
const logs = readdirSync(here).filter((name) => name.endsWith(".log"));

for (const name of logs) {
	test(`${name} replays to the head and the states of its day`, () => {
		const golden = parseGolden(readFileSync(new URL(name, here), "utf8"));
		const { head, states } = meaningOf(golden.values);
		expect(head).toBe(golden.head);
		expect(digestOfStates(states)).toBe(golden.states);
	});
}

test("the log of the release to come holds every type of the catalogue", () => {
	const { values } = parseGolden(readFileSync(new URL("unreleased.log", here), "utf8"));
	const { types } = meaningOf(values);
	expect([...types].sort()).toEqual(REGISTRY.definitions.map(({ type }) => type).sort());
});
