import fc from "fast-check";
import { expect, test } from "vitest";
import { logPage } from "../../src/debug/log-page.ts";
import { eventNames } from "../../src/debug/naming.ts";
import type { StoredEvent } from "../../src/store/store.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { STREAM } from "../walk/walk-state.ts";
import { walkedHistory } from "./walked-history.ts";

const nouns = [undefined, ["entry"], ["request/prepared", "commit"], ["compaction/failed"]];

async function eventsOf(store: { read(stream: string): AsyncIterable<StoredEvent> }): Promise<StoredEvent[]> {
	const events: StoredEvent[] = [];
	for await (const event of store.read(STREAM)) events.push(event);
	return events;
}

test("a page holds what a walk through all events that pass the filter would have there", async () => {
	const property = fc.asyncProperty(
		walks(30),
		fc.nat(3),
		fc.nat(),
		fc.integer({ min: 1, max: 40 }),
		async (walk, filter, which, limit) => {
			const { walked, history } = await walkedHistory(walk);
			const all = await eventsOf(walked.store);
			const types = nouns[filter];
			const pass = all.filter(
				({ type }) => !types || types.some((one) => type === one || type.startsWith(`${one}/`)),
			);
			const from = which % (pass.length + 1);
			const page = await logPage(history, walked.store, { types, from, limit });
			expect([page.total, page.from, page.events]).toEqual([pass.length, from, all.length]);
			expect(page.rows.map(({ position }) => position)).toEqual(
				pass.slice(from, from + limit).map(({ position }) => position),
			);
			const around = which % all.length;
			const there = await logPage(history, walked.store, { types, around, limit });
			const next = pass.find(({ position }) => position >= around);
			if (next) expect(there.rows.map(({ position }) => position)).toContain(next.position);
			for (const { position, request } of page.rows) {
				const sent = history.requests.find((one) => one.position >= position) ?? history.requests.at(-1);
				const isMeasure = all[position]?.type === "request/measured";
				if (!isMeasure) expect(request).toBe(sent?.prepared.request ?? 0);
			}
		},
	);
	await fc.assert(property, runs(15));
});

test("events that name an entry are found, all of them in the end", async () => {
	const property = fc.asyncProperty(walks(30), fc.nat(), async (walk, which) => {
		const { walked, history } = await walkedHistory(walk);
		const all = await eventsOf(walked.store);
		const entries = all.filter(({ type }) => type === "entry/recorded");
		const { data } = entries[which % entries.length] as StoredEvent;
		const { id } = data as { id: string };
		const naming = all.filter((event) => eventNames(event, id));
		const [first, again] = await Promise.all([
			logPage(history, walked.store, { entry: id, from: 0, limit: 1 }),
			logPage(history, walked.store, { entry: id, from: 0, limit: 1_000 }),
		]);
		expect(first.rows.map(({ position }) => position)).toEqual([naming[0]?.position]);
		expect(again.rows.map(({ position }) => position)).toEqual(naming.map(({ position }) => position));
		expect([again.total, again.scanned]).toEqual([naming.length, all.length]);
	});
	await fc.assert(property, runs(10));
});

test("events by an actor are found, alone or with other filters", async () => {
	const property = fc.asyncProperty(walks(30), fc.nat(), fc.nat(3), async (walk, which, filter) => {
		const { walked, history } = await walkedHistory(walk);
		const all = await eventsOf(walked.store);
		const { actor } = all[which % all.length] as StoredEvent;
		const types = nouns[filter];
		const theirs = all.filter(
			(event) =>
				event.actor === actor &&
				(!types || types.some((one) => event.type === one || event.type.startsWith(`${one}/`))),
		);
		const page = await logPage(history, walked.store, { actor, types, from: 0, limit: 1_000 });
		expect(page.rows.map(({ position }) => position)).toEqual(theirs.map(({ position }) => position));
		expect([page.total, page.scanned]).toEqual([theirs.length, all.length]);
	});
	await fc.assert(property, runs(10));
});
