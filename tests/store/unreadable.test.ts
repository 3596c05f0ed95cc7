import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { defineEvent } from "../../events/envelope.ts";
import { createRegistry } from "../../events/registry.ts";
import type { RawEvent } from "../../src/store/event-codec.ts";
import { decodeHead } from "../../src/store/head.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { headKey } from "../../src/store/keys.ts";
import type { Log } from "../../src/store/log.ts";
import { memoryKeyValue } from "../../src/store/memory-key-value.ts";
import { collect } from "./collect.ts";
import { logOver } from "./log-over.ts";

const S = "session/one";
const kept = defineEvent("note/kept", 1, Type.Object({ text: Type.String() }));
const newer = createRegistry([
	kept,
	defineEvent("note/renamed", 2, Type.Object({ name: Type.String() }), { 1: (data) => data }),
	defineEvent("note/sung", 1, Type.Object({ tune: Type.String() })),
	defineEvent("note/tightened", 1, Type.Object({ n: Type.Number() })),
]);
const older = createRegistry([
	kept,
	defineEvent("note/renamed", 1, Type.Object({ name: Type.String() })),
	defineEvent("note/tightened", 1, Type.Object({ n: Type.Number({ minimum: 1 }) })),
]);

function opened(kv: KeyValue, registry: typeof newer): Log {
	const head = kv.get(headKey(0));
	const record = head && decodeHead(head);
	const places = record ? [{ number: 0, ...record }] : [];
	return logOver(kv, { registry, places });
}

async function written(type: string, data: unknown): Promise<Log> {
	const kv = memoryKeyValue();
	const event = (type: string, data: unknown) => ({ event: { type, data }, at: 1, actor: "user" as const });
	await opened(kv, newer).append(
		S,
		[event("note/kept", { text: "a" }), event(type, data), event("note/kept", { text: "b" })],
		0,
	);
	return opened(kv, older);
}

describe.each([
	["a type it does not know", "note/sung", { tune: "la" }, "EVENT_UNKNOWN"],
	["a version newer than its own", "note/renamed", { name: "x" }, "EVENT_NEWER"],
	["a payload that breaks its schema", "note/tightened", { n: 0 }, "EVENT_INVALID"],
])("an older release that meets %s", (_, type, data, code) => {
	test("stops as a writer, naming the position", async () => {
		const store = await written(type, data);
		await expect(collect(store.read(S))).rejects.toMatchObject({
			code,
			message: expect.stringContaining("event 1 of"),
		});
		expect(store.damage).toEqual([]);
	});

	test("skips, counts and shows it as a reader", async () => {
		const store = await written(type, data);
		const shown: RawEvent[] = [];
		const read = await collect(store.read(S, { onUnreadable: (raw) => shown.push(raw) }));
		expect(read.map(({ position }) => position)).toEqual([0, 2]);
		expect(shown).toMatchObject([{ position: 1, type, data }]);
	});
});
