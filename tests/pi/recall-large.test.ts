import { join } from "node:path";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { decodeJson, encodeJson, INDEX_VERSION, META_KEY } from "../../projections/recall/rows.ts";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import { RecallIndex } from "../../src/engine/recall-index.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { callRecall, recalledIn, typeRecall } from "./recall-calls.ts";
import { type Host, type HostOptions, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { OPTIONS } from "./spoken.ts";

afterEach(() => vi.restoreAllMocks());

const ENTRIES = 2_000;

/** A session file that another host left and compacted, of so many entries that they fill a segment of the index. */
function leftBehind(sandbox: Sandbox): string {
	const session = SessionManager.create(sandbox.dir, sandbox.sessions);
	const words = `what module_7 holds in haystack and größe 漢字 `;
	const padding = words.repeat((SEGMENT_CHARS * 1.05) / ENTRIES / words.length);
	for (let n = 0; n < ENTRIES; n += 2) {
		const text = `question ${n}${n === 2 ? " has the walnut" : ""}: ${padding}`;
		const content = [{ type: "text" as const, text }];
		session.appendMessage({ role: "user", content, timestamp: n });
		session.appendMessage({ ...fauxAssistantMessage(`answer ${n}: ${padding}`), timestamp: n });
	}
	const kept = session.getLeafId() ?? "";
	session.appendCompaction("they spoke of a module", kept, 1_000_000);
	return session.getSessionFile() ?? "";
}

/** Few cuts, so that the log is soon made. */
const LARGE: HostOptions = {
	...OPTIONS,
	settings: { ...QUICK_SETTINGS, policy: "off", minFoldChars: SEGMENT_CHARS },
};

/** What is done of the index, and each request, in their order. */
function watched(): {
	readonly order: string[];
	readonly call: () => ReturnType<typeof fauxAssistantMessage>;
} {
	const order: string[] = [];
	const { catchUp } = RecallIndex.prototype;
	vi.spyOn(RecallIndex.prototype, "catchUp").mockImplementation(function (this: RecallIndex) {
		order.push("index");
		return catchUp.call(this);
	});
	const call = () => {
		order.push("request");
		return fauxAssistantMessage(fauxToolCall("pi_compact_recall", { query: "walnut kind:user" }), {
			stopReason: "toolUse",
		});
	};
	return { order, call };
}

/** The first thing the model does is to ask for what was said at first; it asks again where it is told to. */
async function askedAtOnce(host: Host, call: ReturnType<typeof watched>["call"]): Promise<void> {
	const again = () => (saysMore(host) ? call() : fauxAssistantMessage("there"));
	await host.play("where was it?", [call, ...Array(50).fill(again)]);
	const last = recalledIn(host).at(-1);
	expect(last?.details).toMatchObject({ from: "index", total: 1 });
	expect(last?.text).toContain("question 2 has the walnut");
}

function saysMore(host: Host): boolean {
	return recalledIn(host).at(-1)?.text.includes("the index is still being made") === true;
}

test("of a large session there is, nothing is indexed before the first request; what is asked then waits for it", async () => {
	await using sandbox = new Sandbox();
	const file = leftBehind(sandbox);
	const { order, call } = watched();
	const host = await sandbox.open(file, LARGE);
	await turnOfOthers();
	await askedAtOnce(host, call);
	expect(order.slice(0, 2)).toEqual(["request", "index"]);
	await host.quit();
	vi.restoreAllMocks();

	// the index of another release is not looked at either, and is made again
	const directory = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
	const store = await openStore({ directory, registry: REGISTRY });
	const meta = decodeJson(store.row(META_KEY) as Uint8Array) as object;
	expect(meta).toMatchObject({ version: INDEX_VERSION, segments: 1 });
	await store.index({ put: [[META_KEY, encodeJson({ ...meta, version: INDEX_VERSION - 1 })]] });
	await store.close();
	const later = watched();
	const again = await sandbox.open(file, LARGE);
	await askedAtOnce(again, later.call);
	expect(later.order.slice(0, 2)).toEqual(["request", "index"]);
	await again.quit();
	await using made = await openStore({ directory, registry: REGISTRY, readOnly: true });
	expect(decodeJson(made.row(META_KEY) as Uint8Array)).toEqual(meta);
	expect([...host.errors, ...again.errors]).toEqual([]);
});

test("an index that takes long to make answers with what it has, and says that there may be more", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	vi.spyOn(RecallIndex.prototype, "catchUp").mockImplementation(() => new Promise(() => {}));
	await host.ask("the needle is here");
	const saying = /^nothing was found; the index is still being made, so that there may be more: ask again$/;
	const { text, details, failed } = await callRecall(host, { query: "needle" });
	expect({ failed, text }).toEqual({ failed: false, text: expect.stringMatching(saying) });
	expect(details).toMatchObject({ from: "indexing" });
	vi.restoreAllMocks();
	expect(await typeRecall(host, "needle kind:user")).toMatch(/^1 entry found, best first\n/);
	expect(host.errors).toEqual([]);
});
