import fc from "fast-check";
import { expect, test } from "vitest";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { History } from "../../src/debug/history.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { STREAM } from "../walk/walk-state.ts";
import { cutShort, walkedHistory } from "./walked-history.ts";

const hash = (text: string) => sha256Node(new TextEncoder().encode(text));

/** Number and digest of what every request of a history was sent, by the states of its head. */
function windowsIn({ states, requests }: History): [number, string][] {
	return requests.map(({ prepared: { leaf } }) => {
		const items = windowItems(states, leaf, planAt(states, leaf));
		return [items.length, digestOf(items, hash)];
	});
}

test("the states of the head give every window of a session as it was recorded", async () => {
	let rebuilt = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const { history } = await walkedHistory(walk);
		expect(windowsIn(history)).toEqual(
			history.requests.map(({ prepared }) => [prepared.items, prepared.window]),
		);
		rebuilt += history.requests.length;
	});
	await fc.assert(property, runs(30));
	expect(rebuilt).toBeGreaterThan(200);
});

test("a history that grew with its stream is the one read at once", async () => {
	const property = fc.asyncProperty(walks(30), fc.nat(), fc.nat(), async (walk, a, b) => {
		const { walked, history } = await walkedHistory(walk);
		const { version } = history.head;
		const [first, second] = [a % (version + 1), b % (version + 1)].sort((x, y) => x - y) as [number, number];
		const short = cutShort(walked.store, first);
		const grown = await History.read(short.store, STREAM);
		expect(grown.head.version).toBe(first);
		short.grow(second);
		await grown.grow(short.store);
		await grown.grow(walked.store);
		expect(grown.head).toEqual(history.head);
		expect(grown.states).toEqual(history.states);
		expect(grown.requests).toEqual(history.requests);
		expect([grown.decisions, grown.turns]).toEqual([history.decisions, history.turns]);
		expect([...grown.events.counts()]).toEqual([...history.events.counts()]);
	});
	await fc.assert(property, runs(10));
});
