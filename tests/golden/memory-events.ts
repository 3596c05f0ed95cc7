import type { DomainEvent } from "../../events/catalogue.ts";
import type { NewRecord } from "../../events/memory.ts";

const record: NewRecord = {
	id: "mem_0000000000000001",
	kind: "constraint",
	scope: "session",
	session: "golden",
	priority: "high",
	body: "d".repeat(64),
	chars: 40,
	files: ["src/a.ts"],
	sources: ["e1", "e2"],
	sourceHash: "e".repeat(64),
	provenance: "user:/remember",
	pinned: true,
};
const { pinned: _, ...plain } = record;
const proposed: NewRecord = {
	...plain,
	id: "mem_0000000000000002",
	kind: "fact",
	provenance: "model:propose",
};
const derived: NewRecord = {
	...plain,
	id: "mem_rule_0000000000000003",
	kind: "derived",
	provenance: "rule:file",
};
const next: NewRecord = { ...plain, id: "mem_0000000000000004", body: "f".repeat(64) };

/** One of each event of memory. */
export const MEMORY_EVENTS: readonly DomainEvent[] = [
	{ type: "memory/recorded", data: record },
	{ type: "memory/proposed", data: proposed },
	{ type: "memory/derived", data: derived },
	{ type: "memory/confirmed", data: { id: proposed.id, body: proposed.body } },
	{ type: "memory/superseded", data: { id: record.id, record: next } },
	{ type: "memory/pinned", data: { id: next.id } },
	{ type: "memory/unpinned", data: { id: next.id } },
	{ type: "memory/resolved", data: { id: next.id, why: "user:/forget" } },
	{ type: "memory/restored", data: { id: next.id } },
	{ type: "memory/trusted", data: { events: [{ position: 3, hash: "a".repeat(64) }] } },
	{
		type: "memory/imported",
		data: {
			origin: {
				log: "memory/other",
				position: 0,
				at: 1_700_000_000_000,
				actor: "user",
				sealed: { key: "0".repeat(16), tag: "AA==", stored: "AA==" },
			},
			type: "memory/pinned",
			data: { id: next.id },
		},
	},
	{ type: "memory/moved", data: { from: "/there", to: "/here" } },
	{ type: "payload/shredded", data: { contents: [record.body], records: [record.id] } },
];
