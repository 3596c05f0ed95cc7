import fc from "fast-check";
import { expect, test } from "vitest";
import { drive } from "../engine/drive.ts";
import { sessions, settings } from "../engine/session-arbitrary.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkThrough } from "../walk/walker.ts";

const LATER_MS = 123_456_789;

test("invariant 10: the same session at another time of day has the same windows, byte for byte", async () => {
	let texts = 0;
	await fc.assert(
		fc.asyncProperty(sessions, settings, async (entries, rules) => {
			const later = entries.map((entry) => ({
				...entry,
				at: entry.at + LATER_MS,
				...(entry.sentAt !== undefined && { sentAt: entry.sentAt + LATER_MS }),
			}));
			const now = await drive(entries, { settings: rules });
			const then = await drive(later, { settings: rules });
			expect(windowsOf(then)).toEqual(windowsOf(now));
			expect([...then.contents.keys()]).toEqual([...now.contents.keys()]);
			texts += now.events.filter(({ event }) => event.type === "brief/written").length;
		}),
		{ seed: 101, numRuns: 40 },
	);
	expect(texts).toBeGreaterThan(100);
});

test("invariant 10: whatever is decided, no window knows what time it is", async () => {
	let requests = 0;
	const property = fc.asyncProperty(walks(50), async (walk) => {
		const sent = async (later: number) => {
			const walked = await walkThrough(walk, {}, { compares: false, later });
			const events = (await walked.events()).map(({ event }) => event);
			return events.flatMap((event) => (event.type === "request/prepared" ? [event.data.window] : []));
		};
		const now = await sent(0);
		expect(await sent(LATER_MS)).toEqual(now);
		requests += now.length;
	});
	await fc.assert(property, runs(20));
	expect(requests).toBeGreaterThan(100);
});

function windowsOf({ events }: Awaited<ReturnType<typeof drive>>): string[] {
	return events.flatMap(({ event }) => (event.type === "request/prepared" ? [event.data.window] : []));
}
