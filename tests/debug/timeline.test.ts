import fc from "fast-check";
import { expect, test } from "vitest";
import { timelineOf } from "../../src/debug/timeline.ts";
import { fewerMarks, type TimelineMark } from "../../src/debug/timeline-marks.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkedHistory } from "./walked-history.ts";

test("few places keep peaks, troughs, the ends, every cold request and every mark", async () => {
	const property = fc.asyncProperty(walks(60), fc.integer({ min: 4, max: 12 }), async (walk, most) => {
		const { history } = await walkedHistory(walk);
		const all = timelineOf(history);
		const few = timelineOf(history, { most });
		expect(all.request).toEqual(history.requests.map(({ prepared }) => prepared.request));
		expect(few.request.length).toBeLessThanOrEqual(Math.max(most, 4));
		if (all.request.length === 0) return;
		expect(Math.max(...few.tokens)).toBe(Math.max(...all.tokens));
		expect(Math.min(...few.tokens)).toBe(Math.min(...all.tokens));
		expect([few.request[0], few.request.at(-1)]).toEqual([all.request[0], all.request.at(-1)]);
		expect(few.spent.at(-1)).toBe(all.spent.at(-1));
		expect(few.cold.includes(true)).toBe(all.cold.includes(true));
		expect(few.marks).toEqual(all.marks);
		const decided = all.marks.filter(({ kind }) => kind === "commit").length;
		expect(decided).toBe(history.decisions.filter(({ event }) => event.type === "commit/applied").length);
	});
	await fc.assert(property, runs(12));
});

test("a range has the numbers that the whole has there", async () => {
	const property = fc.asyncProperty(walks(40), fc.nat(), fc.nat(), async (walk, a, b) => {
		const { history } = await walkedHistory(walk);
		const all = timelineOf(history);
		if (all.requests === 0) return;
		const [from, to] = [1 + (a % all.requests), 1 + (b % all.requests)].sort((x, y) => x - y) as [
			number,
			number,
		];
		const part = timelineOf(history, { from, to });
		expect(part.request).toEqual(all.request.slice(from - 1, to));
		expect(part.spent).toEqual(all.spent.slice(from - 1, to));
		expect(part.marks.filter(({ kind }) => kind === "commit")).toEqual(
			all.marks.filter(({ kind, request }) => {
				const ends = to === all.requests && request === to + 1;
				return kind === "commit" && request >= from && (request <= to || ends);
			}),
		);
	});
	await fc.assert(property, runs(10));
});

test("a request that went on from another entry is marked as a branch, by an event or without one", async () => {
	let branches = 0;
	const property = fc.asyncProperty(walks(60), async (walk) => {
		const { history } = await walkedHistory(walk);
		const { marks } = timelineOf(history);
		const told = (request: number) =>
			marks.filter((mark) => mark.kind === "leaf" && mark.request === request);
		for (const { prepared } of history.requests) {
			if (prepared.change?.cause !== "leaf") continue;
			branches++;
			expect(told(prepared.request)).not.toEqual([]);
		}
		const turned = history.turns.filter(({ event }) => event.type === "session/leafMoved");
		expect(marks.filter(({ kind }) => kind === "leaf").length).toBeGreaterThanOrEqual(turned.length);
	});
	await fc.assert(property, runs(12));
	expect(branches).toBeGreaterThan(0);
});

test("of very many moves of the leaf neighbours are told together, and nothing else is", () => {
	const mark = (kind: TimelineMark["kind"], position: number): TimelineMark => ({
		kind,
		request: position,
		position,
		label: "",
		actor: "user",
	});
	const marks = Array.from({ length: 100 }, (_, n) => mark(n % 10 === 9 ? "commit" : "leaf", n));
	const fewer = fewerMarks(marks, 45);
	expect(fewer.filter(({ kind }) => kind === "commit")).toHaveLength(10);
	expect(fewer.filter(({ kind }) => kind === "leaf").map(({ label }) => label)[0]).toBe("2 × leaf");
	expect(fewer.length).toBeLessThan(70);
	expect(fewerMarks(marks, 90)).toBe(marks);
});
