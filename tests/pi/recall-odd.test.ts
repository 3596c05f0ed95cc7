import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { expect, test } from "vitest";
import { callRecall, idOf, typeRecall } from "./recall-calls.ts";
import { type Host, Sandbox } from "./sandbox.ts";
import { OPTIONS } from "./spoken.ts";

const KINDS = "the kinds are user, assistant, tool_call, tool_result, bash, custom";

/** A session in which a file with spaces in its path was read. */
async function read(sandbox: Sandbox): Promise<Host> {
	const host = await sandbox.create(OPTIONS);
	await host.ask("the heron stands in the water");
	await host.work("alpha", 2, 600);
	const call = fauxToolCall("read", { path: "my docs/alpha beta.md" });
	await host.play("read it", [
		() => fauxAssistantMessage(call, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("there is none"),
	]);
	return host;
}

test("a page behind the last says that it is, and not that there is nothing", async () => {
	await using sandbox = new Sandbox();
	const host = await read(sandbox);
	const told = async (args: Parameters<typeof callRecall>[1]) => (await callRecall(host, args)).text;
	expect(await told({ query: "heron kind:user", page: 9 })).toBe(
		"1 entry found, best first, page 9: that is behind the last page",
	);
	expect(await told({ action: "list", kind: "tool_result", page: 1e300 })).toMatch(
		/^\d+ entries, newest first, page \d+: that is behind the last page$/,
	);
	expect(JSON.parse(await told({ query: "heron kind:user", page: 2, raw: true }))).toEqual({
		entries: [],
		omitted: [],
		total: 1,
		behindLastPage: true,
	});
	expect(await told({ action: "summary_search", query: "heron", page: 7 })).toBe(
		"1 excerpt found; this page is behind the last",
	);
	expect(await typeRecall(host, "page:99 list")).toMatch(/, page 99: that is behind the last page$/);
});

test("a kind that is none is not heeded, which is told beside the answer with those there are", async () => {
	await using sandbox = new Sandbox();
	const host = await read(sandbox);
	const id = idOf(host, "the heron");
	for (const args of [{ query: "heron", kind: "person" }, { query: "heron kind:person" }]) {
		const { text, ids } = await callRecall(host, args);
		expect(text.endsWith(`kind:person is no kind and was not heeded; ${KINDS}`)).toBe(true);
		expect(ids).toContain(id);
	}
	expect((await callRecall(host, { action: "list", kind: "Results" })).text).toMatch(
		/^\d+ entries, newest first\n[\s\S]*kind:Results is no kind and was not heeded; /,
	);
	expect(await typeRecall(host, "heron kind:person since:yesterday limit:abc")).toContain(`[entry ${id}]`);
	expect(host.said.at(-2)).toBe(
		[
			"Palimpsest: limit:abc is no limit and was not heeded; limits are whole numbers from 1 on",
			`kind:person is no kind and was not heeded; ${KINDS}`,
			"since:yesterday is no time and was not heeded; times are ISO 8601, such as 2026, 2026-01-31 or 2026-01-31T12:00Z",
		].join("\n"),
	);
	expect((await callRecall(host, { query: "heron", kind: "bash" })).text).toBe("nothing was found");
});

test("numbers that say nothing are the defaults", async () => {
	await using sandbox = new Sandbox();
	const host = await read(sandbox);
	const { ids: wanted } = await callRecall(host, { query: "alpha kind:tool_result sourceClass:primary" });
	expect(wanted).toHaveLength(2);
	for (const odd of [{ limit: 0 }, { limit: -3 }, { limit: 2.5 }, { page: -1 }, { page: 0 }, { page: "x" }]) {
		const { ids, failed } = await callRecall(host, {
			query: "alpha kind:tool_result sourceClass:primary",
			...odd,
		});
		expect({ odd, failed, ids }).toEqual({ odd, failed: false, ids: wanted });
	}
	for (const odd of ["limit:0", "limit:-3", "page:-1", "page:0", "page:x"])
		expect(await typeRecall(host, `${odd} alpha kind:tool_result sourceClass:primary`)).toContain(
			`[entry ${wanted[0]}]`,
		);
	const id = idOf(host, "the heron");
	const whole = JSON.stringify(host.session.sessionManager.getEntry(id));
	for (const odd of [{ offset: -5 }, { rawLimit: 0 }, { offset: "far" }]) {
		const { text } = await callRecall(host, { entryIds: [id], raw: true, ...odd });
		expect(text.slice(0, whole.length)).toBe(whole);
		expect(text.slice(whole.length)).toMatch(
			/^(?:offset:-5|rawLimit:0|offset:far) is no \w+ and was not heeded; /,
		);
	}
	expect((await callRecall(host, { entryIds: [id], raw: true, offset: whole.length })).text).toMatch(
		/^OFFSET_BEYOND_END: /,
	);
	expect(await typeRecall(host, `ids:${id} raw offset:${whole.length}`)).toMatch(
		/^Palimpsest: OFFSET_BEYOND_END: /,
	);
});

test("a path with spaces is found in quotes and without, in a field and in the query", async () => {
	await using sandbox = new Sandbox();
	const host = await read(sandbox);
	const path = "my docs/alpha beta.md";
	const call = idOf(host, path);
	for (const args of [
		{ file: path },
		{ file: `"${path}"` },
		{ file: `'${path}'` },
		{ file: "alpha beta.md" },
		{ query: `file:"${path}"` },
		{ query: `beta file:"docs/alpha beta" kind:tool_call` },
	])
		expect((await callRecall(host, { kind: "tool_call", sourceClass: "primary", ...args })).ids).toContain(
			call,
		);
	expect(await typeRecall(host, `file:"${path}" kind:tool_call`)).toContain(`[entry ${call}]`);
});

test("ids are taken from lists however they are written, and those that name nothing are told", async () => {
	await using sandbox = new Sandbox();
	const host = await read(sandbox);
	const [first = "", second = ""] = host.path("message").slice(1);
	const json = JSON.stringify([first, second]);
	for (const entryIds of [[first, second], json, [json], `${first},${second}`, [`${first}, ${second}`]])
		expect((await callRecall(host, { entryIds: entryIds as string[] })).ids).toEqual([first, second]);
	const { text } = await callRecall(host, { entryIds: [first, "constructor", "__proto__"] });
	expect(text).toMatch(/^1 entry; unknown here: constructor __proto__\n/);
	expect((await callRecall(host, { entryIds: ["nope", "neither"] })).text).toMatch(
		/^ENTRY_UNKNOWN: no entry on this branch is called nope neither; what works: /,
	);
	expect(await typeRecall(host, `ids:${second},nope`)).toMatch(/^1 entry; unknown here: nope\n/);
	expect(host.errors).toEqual([]);
});

test.each(["raw", "ids:", "help", "--help", "", "raw kind:user"])(
	"%j typed behind the command tells how it is used",
	async (typed) => {
		await using sandbox = new Sandbox();
		const host = await sandbox.create(OPTIONS);
		await host.ask("help is near");
		expect(await typeRecall(host, typed)).toMatch(
			/^Palimpsest: \/pi-compact-recall takes words(?:.*\n){3}.*$/,
		);
	},
);

test("an entry is read for as long as there is room, and shares it with others", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.ask(`heron ${"x".repeat(14_000)}`);
	await host.ask(`zebra ${"y".repeat(14_000)}`);
	const [heron, zebra] = [idOf(host, "heron"), idOf(host, "zebra")];
	const alone = await typeRecall(host, `ids:${heron}`);
	expect(alone).toContain("x".repeat(14_000));
	const both = await typeRecall(host, `ids:${heron},${zebra}`);
	expect(both).toContain("x".repeat(7_000));
	expect(both).toContain("y".repeat(7_000));
	expect(both.match(/more characters: raw has all/g)).toHaveLength(2);
	expect(both.length).toBeLessThanOrEqual(16_000);
});
