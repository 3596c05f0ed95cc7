import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { expect } from "vitest";
import { callRecall, idOf, type Recalled, recalledIn } from "./recall-calls.ts";
import { type Host, type HostOptions, QUICK_SETTINGS } from "./sandbox.ts";

/** A host whose model can recall, and in which nothing is folded but what is asked for. */
export const OPTIONS: HostOptions = {
	tools: ["fetch", "pi_fold_context", "pi_compact_recall"],
	settings: { ...QUICK_SETTINGS, policy: "off" },
};

/** What was said at first, in three languages, before much else. */
export const SAID = {
	german: "Die Sitzungen dürfen beim Löschen der Dateien nie verloren gehen.",
	compound: "Das Größenänderungsverfahren der Straßenkarte überschreibt den Zwischenspeicher.",
	chinese: "我们决定把会话文件保存在本地数据库里",
	code: "export function rebuildPostingList(segmentNumber: number) { return segmentNumber; }",
	path: "The lock is taken in packages/engine/src/lease-broker.ts, and nowhere else.",
};

/** What is asked, and what of that is meant. */
const QUERIES: readonly (readonly [keyof typeof SAID, string])[] = [
	["german", "Sitzung Datei gelöscht"],
	["compound", "Größenänderung Straßenkarten"],
	["compound", "ZWISCHENSPEICHERS überschrieben"],
	["compound", "Stra\u00dfenkarte Gro\u0308\u00dfena\u0308nderungsverfahren"],
	["chinese", "会话文件 数据库"],
	["chinese", '"保存在本地"'],
	["code", "posting list"],
	["code", "rebuildPostingList"],
	["path", "lease-broker.ts"],
	["path", "engine/src/lease-broker.ts locked"],
];

/** Has a host say that first, and work on. */
export async function spoken(host: Host): Promise<Host> {
	for (const text of Object.values(SAID)) await host.ask(text);
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	return host;
}

/** Everything said at first is found by other words than it was said in, before all else. */
export async function expectFound(host: Host, from = "index"): Promise<void> {
	const calls = QUERIES.map(([, query]) => fauxToolCall("pi_compact_recall", { query, limit: 3 }));
	await host.play("look it all up", [
		() => fauxAssistantMessage(calls, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("done"),
	]);
	const answers: Recalled[] = recalledIn(host).slice(-QUERIES.length);
	for (const [index, [meant, query]] of QUERIES.entries()) {
		const { failed, ids, details } = answers[index] as Recalled;
		expect({ query, failed, first: ids[0] }).toEqual({
			query,
			failed: false,
			first: idOf(host, JSON.stringify(SAID[meant]).slice(1, -1)),
		});
		expect(details).toMatchObject({ source: "session-entries", from, truncated: false });
	}
	expect(host.errors).toEqual([]);
}

/** An entry is read whole by slices of its JSON, which join to what stands in the session. */
export async function expectRejoined(host: Host, id: string, rawLimit: number): Promise<void> {
	const json = JSON.stringify(host.session.sessionManager.getEntry(id));
	let whole = "";
	for (let offset: number | undefined = 0; offset !== undefined; ) {
		const { text, failed } = await callRecall(host, { entryIds: [id], raw: true, offset, rawLimit });
		expect(failed).toBe(false);
		const slice = JSON.parse(text);
		expect(slice).toMatchObject({ entryId: id, offset, totalChars: json.length });
		whole += slice.body;
		offset = slice.nextOffset;
	}
	expect(whole).toBe(json);
}
