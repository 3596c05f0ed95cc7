import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { Actor } from "../../events/envelope.ts";
import { History } from "../../src/debug/history.ts";
import { memoryFacts, memoryThen } from "../../src/debug/memory-then.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";

const STREAM = "session/s";
const proven = { check: () => "verified" as const };

const opened: DomainEvent = {
	type: "session/opened",
	data: { session: "s", root: null, format: "live" },
};

function entry(
	id: string,
	parent: string | null,
	memory?: { block?: string[]; told?: string[]; gone?: string[] },
) {
	const size = { bytes: 10, chars: 10, thinking: 0, images: 0 };
	const data = { id, parent, kind: "message", role: "user", at: 1, digest: id.repeat(8), ...size };
	return { type: "entry/recorded", data: { ...data, ...(memory && { memory }) } } as DomainEvent;
}

function prepared(request: number, leaf: string, at: number): DomainEvent {
	const sizes = { items: 1, tokens: 10, foldable: 0, holding: 0 };
	return {
		type: "request/prepared",
		data: { request, at, leaf, model: "m", window: "", cold: false, ...sizes },
	};
}

function recorded(id: string, body: string): DomainEvent {
	const what = { kind: "fact", scope: "session", session: "s", priority: "normal" } as const;
	const data = { id, ...what, body, chars: 4, files: [], sources: [], provenance: "test" };
	return { type: "memory/recorded", data } as DomainEvent;
}

async function storeOf(events: readonly (readonly [Actor, DomainEvent])[]) {
	const store = openMemoryStore({ registry: REGISTRY });
	const batch = events.map(([actor, event], at) => ({ event, at, actor }));
	await store.append(STREAM, batch, 0);
	return { store, history: await History.read(store, STREAM) };
}

test("memory is told as it stood at a request: what came later is not there, what was taken back is not told", async () => {
	const { store, history } = await storeOf([
		["runtime", opened],
		["user", recorded("mem_a", "a")],
		["host", entry("e1", null, { block: ["mem_a"] })],
		["runtime", prepared(1, "e1", 3)],
		["user", recorded("mem_b", "b")],
		["user", { type: "memory/resolved", data: { id: "mem_a", why: "done" } } as DomainEvent],
		["host", entry("e2", "e1", { told: ["mem_b"], gone: ["mem_a"] })],
		["runtime", prepared(2, "e2", 7)],
		["runtime", prepared(3, "e1", 8)],
	]);
	const textOf = (digest: string) => `text ${digest}`;
	const own = { facts: memoryFacts(history, store, proven), isOwn: true, textOf };
	const seen = (request: number) =>
		memoryThen(history, request, [own])?.map(({ id, status, told, text }) => [id, status, told, text]);
	expect(seen(1)).toEqual([["mem_a", "active", true, "text a"]]);
	expect(seen(2)).toEqual([
		["mem_b", "active", true, "text b"],
		["mem_a", "resolved", false, "text a"],
	]);
	// on the branch that never was told of it
	expect(seen(3)).toEqual([
		["mem_b", "active", false, "text b"],
		["mem_a", "resolved", true, "text a"],
	]);
	expect(seen(4)).toBeUndefined();
});

test("of another stream's memory counts what happened by the time of the request", async () => {
	const { store, history } = await storeOf([
		["runtime", opened],
		["host", entry("e1", null)],
		["runtime", prepared(1, "e1", 2)],
	]);
	const other = await storeOf([
		["user", recorded("mem_a", "a")],
		["user", recorded("mem_b", "b")],
		["user", recorded("mem_c", "c")],
		["user", recorded("mem_d", "d")],
	]);
	const facts = memoryFacts(other.history, other.store, proven);
	const rows = memoryThen(history, 1, [
		{ facts: memoryFacts(history, store, proven), isOwn: true, textOf: () => undefined },
		{ facts, isOwn: false, textOf: () => undefined },
	]);
	expect(rows?.map(({ id }) => id).sort()).toEqual(["mem_a", "mem_b", "mem_c"]);
	const unproved = { check: () => "unverified" as const };
	const doubted = memoryFacts(other.history, other.store, unproved);
	const seen = memoryThen(history, 1, [{ facts: doubted, isOwn: false, textOf: () => undefined }]);
	expect(seen?.map(({ status, proof }) => [status, proof])).toEqual(
		Array.from({ length: 3 }, () => ["provisional", "unverified"]),
	);
});
