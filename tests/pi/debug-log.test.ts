import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test } from "vitest";
import { registerDebug } from "../../src/adapters/pi/debug-hooks.ts";
import { DebugLog } from "../../src/adapters/pi/debug-log.ts";
import { failureOf, type Measure, Measures } from "../../src/adapters/pi/measures.ts";
import { PROCESS_CLOCK } from "../../src/adapters/pi/patience.ts";
import { digestPayload } from "../../src/adapters/pi/payload-digest.ts";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { AnthropicServer, type Behaviour } from "./anthropic-server.ts";
import { type Host, Sandbox } from "./sandbox.ts";

const SECRET = "HUSH-4711";

type Line = Measure & { at: string; pid: number; session: string; lost?: number };

function linesIn(path: string): Line[] {
	return readFileSync(path, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

/** A host that speaks to a server, whose configuration says this. */
async function hostOn(sandbox: Sandbox, server: AnthropicServer, config: object): Promise<Host> {
	writeFileSync(join(sandbox.dir, "pi-compact.json"), JSON.stringify(config));
	const host = await sandbox.create({
		before: [server.provider],
		engine: (pi: ExtensionAPI) => registerPalimpsest(pi),
		tools: ["fetch", "pi_compact_recall", "pi_fold_context"],
	});
	const model = host.session.modelRuntime.getModel("wire", "plain");
	if (!model) throw new Error("no model");
	await host.session.setModel(model);
	return host;
}

/** Secrets in what the model thinks, says and calls, in paths, queries and results, and in what the provider refuses by. */
const SCRIPT: Behaviour = {
	reply: (_request, nth) => {
		const call = (name: string, input: object) => [
			{ type: "tool_use", id: `toolu_${nth}_${SECRET}`, name, input },
		];
		if (nth === 0) return call("fetch", { page: `/home/${SECRET}/keys.ts`, chars: 9_000 });
		if (nth === 1) return call("pi_compact_recall", { query: `where is ${SECRET}`, file: SECRET });
		if (nth === 2) return call("pi_compact_recall", { action: "read", entryIds: [SECRET] });
		return [{ type: "text", text: `it is ${SECRET}` }];
	},
	refuse: (_request, nth) => (nth === 5 ? { message: `${SECRET} is refused` } : undefined),
};

test("with debug on it tells of requests, replies, recall and compactions, and nothing that anybody said, wrote or named", async () => {
	await using sandbox = new Sandbox();
	await using server = await AnthropicServer.listen(SCRIPT);
	const host = await hostOn(sandbox, server, { debug: true });
	await host.session.prompt(`remember ${SECRET}`);
	await host.session.prompt(`and ${SECRET} again`);
	await host.session.prompt(`/pi-compact-recall list "${SECRET}" file:${SECRET}`);
	await host.session.prompt("this one is refused").catch(() => {});
	await host.session.compact(`about ${SECRET}`);
	await host.session.prompt("/pi-compact-status");
	const path = join(sandbox.home, "debug.jsonl");
	const status = host.said.at(-1)?.replaceAll(/\s+/g, " ") ?? "";
	const [, session] = /, lines of session ([0-9a-f]{12}) /.exec(status) ?? [];
	await host.quit();
	expect(JSON.stringify(server.requests)).toContain(SECRET);
	expect(readFileSync(path, "utf8")).not.toContain(SECRET);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	const lines = linesIn(path);
	expect(new Set(lines.map((line) => line.session))).toEqual(new Set([session]));
	const of = <W extends Measure["what"]>(what: W) =>
		lines.filter((line): line is Line & Extract<Measure, { what: W }> => line.what === what);
	expect(of("request")).toHaveLength(server.requests.length);
	const [first, second] = of("request");
	expect(first?.prefix).toMatchObject({ chars: 0, messages: 0 });
	expect(second?.prefix.messages).toBe(first?.messages);
	expect(second?.prefix.chars).toBeGreaterThan(0);
	expect(first?.payload.sha256).toMatch(/^[0-9a-f]{64}$/);
	expect(of("reply").find(({ outcome }) => outcome === "completed")?.output).toBeGreaterThan(0);
	expect(of("reply").find(({ outcome }) => outcome === "error")).toMatchObject({ failure: "other" });
	expect(of("recall").map(({ by, action, failure }) => [by, action, failure])).toEqual([
		["model", "search", undefined],
		["model", "read", "ENTRY_UNKNOWN"],
		["user", "list", undefined],
	]);
	expect(of("summary")).toHaveLength(1);
	expect(of("checkpoint")).toMatchObject([{ reason: "manual", outcome: "handed", isMoved: false }]);
	expect(of("compacted")).toMatchObject([{ isCheckpoint: true }]);
	// whatever comes to be measured: words of ours, digests, numbers
	for (const text of stringsIn(lines)) expect(text).toMatch(/^[\w.:-]{1,64}$/);
	expect(host.errors).toEqual([]);
});

function stringsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

test("it is kept from the prompt on that debug is switched on at, until it is switched off", async () => {
	await using sandbox = new Sandbox();
	await using server = await AnthropicServer.listen();
	const host = await hostOn(sandbox, server, {});
	const path = join(sandbox.home, "debug.jsonl");
	const config = (content: object) =>
		writeFileSync(join(sandbox.dir, "pi-compact.json"), JSON.stringify(content));
	await host.session.prompt("one");
	expect(existsSync(path)).toBe(false);
	config({ debug: true });
	await host.session.prompt("two");
	config({ debug: false, enabled: true });
	await host.session.prompt("three");
	await host.quit();
	expect(linesIn(path).map(({ what }) => what)).toEqual(["request", "reply"]);
});

test("while it is off, what goes to the provider and what comes back is not even looked at", () => {
	const handlers = new Map<string, (event: unknown, ctx: unknown) => unknown>();
	const pi = { on: (name: string, handler: () => unknown) => void handlers.set(name, handler) };
	registerDebug(pi as unknown as ExtensionAPI, new Measures(), { refresh: () => {}, clock: PROCESS_CLOCK });
	const untouchable = new Proxy(
		{},
		{
			get: () => {
				throw new Error("looked at");
			},
		},
	);
	expect(handlers.get("before_provider_request")?.({ payload: untouchable }, untouchable)).toBeUndefined();
	expect(
		handlers.get("turn_end")?.({ message: untouchable, outcome: "completed" }, untouchable),
	).toBeUndefined();
});

const folders: string[] = [];
afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
	const path = mkdtempSync(join(tmpdir(), "palimpsest-debug-"));
	folders.push(path);
	return path;
}

const MEASURE: Measure = { what: "compacted", reason: "manual", isCheckpoint: true };

test("a file that is large enough takes the place of the one before it, so that there are two at most", async () => {
	const dir = folder();
	const log = new DebugLog(join(dir, "home", "debug.jsonl"), "a session", 1_000);
	for (let n = 0; n < 60; n++) {
		log.write(MEASURE);
		await log.written();
	}
	expect(readdirSync(join(dir, "home")).sort()).toEqual(["debug.jsonl", "debug.jsonl.1"]);
	for (const name of ["debug.jsonl", "debug.jsonl.1"]) {
		expect(statSync(join(dir, "home", name)).size).toBeLessThan(1_200);
		for (const line of linesIn(join(dir, "home", name))) expect(line).toMatchObject(MEASURE);
	}
});

test("lines the disk does not take are counted in the next, and nothing fails", async () => {
	const dir = folder();
	writeFileSync(join(dir, "home"), "a file where the folder should be");
	const log = new DebugLog(join(dir, "home", "debug.jsonl"), "a session");
	for (let n = 0; n < 3; n++) {
		log.write(MEASURE);
		await log.written();
	}
	rmSync(join(dir, "home"));
	log.write(MEASURE);
	log.write(MEASURE);
	await log.written();
	const [first, second] = linesIn(join(dir, "home", "debug.jsonl"));
	expect(first).toMatchObject({ ...MEASURE, lost: 3 });
	expect(second).not.toHaveProperty("lost");
});

test("what is stable of a payload is told message by message, whoever's format it has, without the marks of caches", () => {
	const mark = { type: "ephemeral" };
	const said = (text: string, more = {}) => ({ role: "user", content: [{ type: "text", text, ...more }] });
	for (const name of ["messages", "input", "contents"]) {
		const one = digestPayload(
			{ model: "m", [name]: [said("a"), said("b", { cache_control: mark })] },
			undefined,
		);
		expect(one).toMatchObject({ messages: 2, prefix: { messages: 0, chars: 0 } });
		const two = digestPayload(
			{ model: "m", [name]: [said("a"), said("b"), said("c", { cache_control: mark })] },
			one.next,
		);
		expect(two).toMatchObject({ messages: 3, prefix: { messages: 2 } });
		const changed = digestPayload({ model: "m", [name]: [said("x"), said("b"), said("c")] }, two.next);
		expect(changed.prefix.messages).toBe(0);
		expect(changed.prefix.chars).toBeGreaterThan(0);
		const other = digestPayload({ model: "n", [name]: [said("x")] }, changed.next);
		expect(other.prefix).toMatchObject({ messages: 0, chars: 0 });
	}
	for (const payload of [undefined, null, "text", [], { prompt: "p" }])
		expect(digestPayload(payload, undefined)).toMatchObject({ messages: 0 });
});

test.each([
	[Object.assign(new Error(SECRET), { code: "ENOENT" }), "ENOENT"],
	[Object.assign(new Error(SECRET), { code: SECRET }), "Error"],
	[new TypeError(SECRET), "TypeError"],
	[Object.assign(new Error("x"), { name: SECRET }), "unknown"],
	[SECRET, "unknown"],
])("a failure is told by its code or class, never by its words (%#)", (error, told) => {
	expect(failureOf(error)).toBe(told);
});
