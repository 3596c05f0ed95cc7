import { expect, test } from "vitest";
import { MappedSession } from "../debug/mapped-session.ts";

test("a node that is written late says the rules its decision was made under, not those since", async () => {
	const session = await MappedSession.of(4, { postFoldNotice: true });
	const { engine, request } = session;
	const decision = await engine.commitNow(request);
	if (!decision) throw new RangeError("nothing was decided");
	const node = engine.nodeFor(decision);
	expect(node).toMatchObject({ notice: true, rules: { toolFoldThreshold: 0, minFoldChars: 2_000 } });
	const { postFoldNotice: _, ...settings } = engine.states.rules.settings;
	const others = { ...settings, toolFoldThreshold: 0.9, minFoldChars: 5_000, keepRaw: ["run"] };
	await engine.settle(others, 1, "user");
	expect(engine.nodeFor(decision)).toEqual(node);
});
