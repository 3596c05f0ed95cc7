import { expect, test } from "vitest";
import { hasRoomFor, keepOutput, refuseOutput } from "../../src/commands/keep-output.ts";
import { Given } from "./given.ts";

const output = { entry: "e1", source: "bash", bytes: 700, piece: 512, pieces: ["a", "b"] };
const refused = { entry: "e1", source: "bash", bytes: 700, why: "cap", cap: 600 } as const;

test("an output is kept once", () => {
	const given = new Given();
	const [event] = keepOutput(given.states.outputs, output);
	expect(event).toEqual({ type: "output/kept", data: output });
	if (event) given.event(event);
	expect(keepOutput(given.states.outputs, output)).toEqual([]);
	expect(refuseOutput(given.states.outputs, refused)).toEqual([]);
});

test("an output is refused once, and may be kept later", () => {
	const given = new Given();
	for (const event of refuseOutput(given.states.outputs, refused)) given.event(event);
	expect(refuseOutput(given.states.outputs, refused)).toEqual([]);
	expect(keepOutput(given.states.outputs, output)).toHaveLength(1);
});

test("the cap holds for all that is kept or being kept, and to the byte", () => {
	const given = new Given();
	for (const event of keepOutput(given.states.outputs, output)) given.event(event);
	const { outputs } = given.states;
	expect(hasRoomFor(outputs, 200, { cap: 1_000, underway: 100 })).toBe(true);
	expect(hasRoomFor(outputs, 201, { cap: 1_000, underway: 100 })).toBe(false);
});
