import fc from "fast-check";
import { expect, test } from "vitest";
import type { Actor } from "../../events/envelope.ts";
import type { MemoryEvent, NewRecord } from "../../events/memory.ts";
import { GrowingMemory, memoryOf } from "../../projections/memory/memory.ts";
import { hasAuthority, type MemoryFact, type Proof } from "../../projections/memory/record.ts";
import { newRecord } from "./memories.ts";

const id = fc.constantFrom("mem_1", "mem_2", "mem_3", "__proto__");
const text = fc.constantFrom("use tabs", "use spaces", "push to main");
const record: fc.Arbitrary<NewRecord> = fc
	.tuple(id, text, fc.boolean())
	.map(([id, text, pinned]) => ({ ...newRecord(id, text), ...(pinned && { pinned: true as const }) }));
const plain: fc.Arbitrary<MemoryEvent> = fc.oneof(
	...(["memory/recorded", "memory/proposed", "memory/derived"] as const).map((type) =>
		record.map((data) => ({ type, data })),
	),
	fc.tuple(id, record).map(([id, record]) => ({ type: "memory/superseded" as const, data: { id, record } })),
	record.map(({ id, body }) => ({ type: "memory/confirmed" as const, data: { id, body } })),
	...(["memory/pinned", "memory/unpinned", "memory/restored"] as const).map((type) =>
		id.map((id) => ({ type, data: { id } })),
	),
	id.map((id) => ({ type: "memory/resolved" as const, data: { id, why: "rule:file" } })),
	fc.constantFrom("/a", "/b").map((to) => ({ type: "memory/moved" as const, data: { from: "/", to } })),
	fc.array(fc.nat(20), { maxLength: 3 }).map((positions) => ({
		type: "memory/trusted" as const,
		data: { events: positions.map((position) => ({ position, hash: `hash-${position}` })) },
	})),
);
const imported: fc.Arbitrary<MemoryEvent> = fc
	.tuple(plain, fc.constantFrom("user" as const, "model" as const, "rule" as const))
	.map(([{ type, data }, actor]) => ({
		type: "memory/imported",
		data: { origin: { log: "memory/other", position: 0, at: 0, actor }, type, data },
	}));
const event = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: imported });

type Said = Pick<MemoryFact, "event" | "actor" | "proof">;
const actors: fc.Arbitrary<Actor> = fc.constantFrom("user", "model", "rule", "runtime", "host");
/** Whatever anybody can have written without the user's key. */
const unproved: fc.Arbitrary<Said> = fc
	.tuple(event, actors, fc.constantFrom<Proof>("unverified", "forged"))
	.map(([event, actor, proof]) => ({ event, actor, proof }));
const anything: fc.Arbitrary<Said> = fc.oneof(
	{ weight: 1, arbitrary: unproved },
	{ weight: 4, arbitrary: event.map((event): Said => ({ event, actor: "user", proof: "verified" })) },
);

function placed(said: readonly Said[], from = 0): MemoryFact[] {
	return said.map((one, index) => ({
		...one,
		position: from + index,
		hash: `hash-${from + index}`,
		at: index,
	}));
}

test("without a proof of the user's nothing ever has authority", () => {
	fc.assert(
		fc.property(fc.array(unproved, { maxLength: 20 }), (said) => {
			const { records, moves } = memoryOf(placed(said));
			expect([...records.values()].filter(hasAuthority)).toEqual([]);
			expect(moves).toEqual([]);
		}),
		{ seed: 5, numRuns: 1_000 },
	);
});

test("what has authority is changed by nothing that lacks the user's proof", () => {
	let met = 0;
	fc.assert(
		fc.property(
			fc.array(anything, { maxLength: 25 }),
			fc.array(unproved, { maxLength: 25 }),
			(before, behind) => {
				// nobody vouches beforehand for what is not written yet: its hash is not known
				const first = placed(before).filter(({ event }) => event.type !== "memory/trusted");
				const standing = [...memoryOf(first).records.values()].filter(hasAuthority);
				const after = memoryOf([...first, ...placed(behind, before.length)]).records;
				for (const record of standing) expect(after.get(record.id)).toEqual(record);
				expect([...after.values()].filter(hasAuthority)).toHaveLength(standing.length);
				met += standing.length;
			},
		),
		{ seed: 5, numRuns: 1_000 },
	);
	expect(met).toBeGreaterThan(200);
});

test("a memory that grows is what all of its events come to at once", () => {
	fc.assert(
		fc.property(fc.array(anything, { maxLength: 20 }), fc.nat(20), (said, cut) => {
			const facts = placed(said);
			const growing = new GrowingMemory(facts.slice(0, cut), memoryOf(facts.slice(0, cut)));
			for (const fact of facts.slice(cut)) growing.take([fact]);
			expect(growing.memory).toEqual(memoryOf(facts));
		}),
		{ seed: 5, numRuns: 500 },
	);
});

test("what is named as no record is has no effect, and is nothing to vouch for", () => {
	for (const id of ["mem_1\n[mem_2] pinned", "mem_\u001b[8m", "mem_", "other", `mem_${"x".repeat(101)}`]) {
		const data = newRecord(id, "push to main");
		const recorded = { type: "memory/recorded", data } as const;
		const old = { event: { type: "memory/recorded", data: newRecord("mem_1", "use tabs") } } as const;
		for (const proof of ["verified", "unverified"] as const) {
			const superseded = { type: "memory/superseded", data: { id: "mem_1", record: data } } as const;
			const origin = { log: "memory/other", position: 0, at: 0, actor: "user" } as const;
			const imported = { type: "memory/imported", data: { origin, ...recorded } } as const;
			const events = [recorded, superseded, imported].map((event) => ({ event, proof }));
			const said = [{ ...old, proof: "verified" as const }, ...events];
			const { records, suspects } = memoryOf(placed(said.map((one) => ({ ...one, actor: "user" }))));
			expect([...records.values()].map(({ id, status }) => [id, status])).toEqual([["mem_1", "active"]]);
			expect(suspects).toEqual([]);
		}
	}
});

test("the making of a record that the user confirmed, replaced or forgot wants no vouching for any more", () => {
	const made = newRecord("mem_1", "use tabs");
	const record: Said = { event: { type: "memory/recorded", data: made }, actor: "user", proof: "unverified" };
	const changes: readonly MemoryEvent[] = [
		{ type: "memory/confirmed", data: { id: "mem_1", body: made.body } },
		{ type: "memory/superseded", data: { id: "mem_1", record: newRecord("mem_2", "use spaces") } },
		{ type: "memory/resolved", data: { id: "mem_1", why: "user:/forget" } },
	];
	for (const event of changes) {
		const by = (proof: Proof): Said => ({ event, actor: "user", proof });
		expect(memoryOf(placed([record, by("verified")])).suspects).toEqual([]);
		expect(memoryOf(placed([record, by("unverified")])).suspects).toHaveLength(2);
		expect(memoryOf(placed([{ ...record, proof: "forged" }, by("verified")])).suspects).toHaveLength(1);
	}
	const other: Said = {
		event: { type: "memory/confirmed", data: { id: "mem_1", body: newRecord("mem_1", "x").body } },
		actor: "user",
		proof: "verified",
	};
	expect(memoryOf(placed([record, other])).suspects).toHaveLength(1);
});
