import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { expect, test } from "vitest";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { withLease } from "../../src/engine/memory/leases.ts";
import { workspaceDirectory } from "../../src/store/identity.ts";
import { callMemory, idIn, type, WITH_MEMORY, waiting } from "./memory-calls.ts";
import { type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";

/** Nothing waits for the disk. */
const HASTY = {
	...WITH_MEMORY,
	engine: (pi: Parameters<typeof registerEngine>[0]) =>
		registerEngine(pi, () => QUICK_SETTINGS, { clock: waiting(0) }),
};

/** The slices of a record's text, read one behind the other as each answer says. */
async function readThrough(host: Host, recordId: string, limit: number): Promise<string[]> {
	const slices: string[] = [];
	for (let offset: number | undefined = 0; offset !== undefined; ) {
		const { text, details } = await callMemory(host, "read", { recordId, offset, limit });
		expect(text.length).toBeLessThanOrEqual(16_000);
		const read = JSON.parse(text);
		expect(read).toMatchObject({ id: recordId, offset, truncated: read.nextOffset !== undefined });
		expect(details).toMatchObject({ source: "memory-log", count: 1, truncated: read.truncated });
		expect(read.content).not.toBe("");
		slices.push(read.content);
		offset = read.nextOffset;
	}
	return slices;
}

test("a text is read back whole in slices within 16,000 characters, whatever JSON makes of it", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	for (const piece of ['"', "\\", "\u0001", "😀"]) {
		const content = `begin ${piece.repeat(Math.floor(7_900 / piece.length))} end`;
		const id = idIn((await callMemory(host, "propose", { content })).text);
		const slices = await readThrough(host, id, 16_000);
		expect(slices.join("")).toBe(content);
		expect(slices.every((slice) => slice.isWellFormed())).toBe(true);
		const { text } = await callMemory(host, "read", { recordId: id });
		expect(JSON.parse(text)).toMatchObject({ totalChars: content.length, kind: "fact", author: "model" });
		expect(JSON.parse(text).content.length).toBeLessThanOrEqual(4_000);
		expect(await callMemory(host, "read", { recordId: id, offset: 9_000 })).toMatchObject({
			failed: true,
			text: expect.stringMatching(/^OFFSET_BEYOND_END/),
		});
	}
	const odd = idIn((await callMemory(host, "propose", { content: "😀😀😀 three" })).text);
	expect((await readThrough(host, odd, 1)).join("")).toBe("😀😀😀 three");
});

test("pages of a search never overlap, end, and keep within 16,000 characters", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	for (let n = 0; n < 40; n++)
		await host.session.prompt(`/remember the gauge number ${n} says ${`${n * 7919} `.repeat(140)}`);
	for (const args of [{}, { query: "gauge" }]) {
		const seen: string[] = [];
		for (let offset: number | undefined = 0; offset !== undefined; ) {
			const { text, details } = await callMemory(host, "search", { ...args, limit: 30, offset });
			expect(text.length).toBeLessThanOrEqual(16_000);
			const ids = [...text.matchAll(/^\[(mem_\w+)\]/gm)].map(([, id = ""]) => id);
			expect(details).toMatchObject({ source: "memory-log", count: ids.length, truncated: true });
			expect(ids.length).toBeGreaterThan(0);
			seen.push(...ids);
			offset = details.nextOffset as number | undefined;
		}
		expect(seen).toHaveLength(40);
		expect(new Set(seen).size).toBe(40);
	}
	const beyond = await callMemory(host, "search", { offset: 90 });
	expect(beyond).toMatchObject({ failed: false, text: "nothing behind 90: 40 records in all" });
});

test("what arguments cannot hold is passed over", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const proposed = await callMemory(host, "propose", {
		content: "the port is 8080",
		kind: "rumour",
		priority: 7,
		scope: "planet",
		files: "src/port.ts",
		status: "active",
	});
	const id = idIn(proposed.text);
	const read = JSON.parse((await callMemory(host, "read", { recordId: id, limit: "oops" })).text);
	expect(read).toMatchObject({
		kind: "fact",
		priority: "normal",
		scope: "workspace",
		files: ["src/port.ts"],
		status: "provisional",
		pinned: false,
		content: "the port is 8080",
	});
	for (const wrong of [{ status: "nice" }, { kind: "rumour" }, { limit: "many", offset: -3 }])
		expect((await callMemory(host, "search", wrong)).text).toContain(`[${id}] provisional fact author=model`);
	expect((await callMemory(host, "search", { limit: "1" })).details).toMatchObject({ count: 1 });
	expect(await callMemory(host, "propose", {})).toMatchObject({ failed: true, details: { rejected: true } });
	expect(await callMemory(host, "update", { recordId: id })).toMatchObject({
		failed: true,
		text: expect.stringContaining("action: missing"),
	});
	expect(host.errors).toEqual([]);
});

test("a proposal is made once, changed into a new one, withdrawn, and never touches what is the user's", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const users = idIn(await type(host, "/remember Always run the linter."));
	const first = idIn((await callMemory(host, "propose", { content: "The port is 8080." })).text);
	const again = await callMemory(host, "propose", { content: "The port is 8080." });
	expect(again).toMatchObject({ failed: false, details: { recordId: first, duplicate: true } });
	const edited = await callMemory(host, "update", {
		recordId: first,
		action: "edit",
		content: "The port is 9090.",
	});
	const second = idIn(edited.text);
	expect(edited).toMatchObject({ failed: false, details: { recordId: second, status: "provisional" } });
	expect(second).not.toBe(first);
	expect(edited.text).toContain("8080");
	expect((await callMemory(host, "search", { status: "superseded" })).text).toContain(
		`[${first}] superseded fact author=model supersededBy=${second}`,
	);
	expect(await callMemory(host, "update", { recordId: second, action: "resolve" })).toMatchObject({
		text: `${second}: withdrawn`,
		details: { recordId: second, status: "resolved" },
	});
	for (const args of [{ action: "edit", content: "Never run it." }, { action: "resolve" }])
		expect(await callMemory(host, "update", { recordId: users, ...args })).toMatchObject({
			failed: true,
			text: expect.stringMatching(/^MEMORY_NOT_YOURS: .*; nothing was written$/),
			details: { rejected: true },
		});
	expect(await type(host, "/memories")).toContain("1 record: 1 active");
});

test("the same text proposed twice in one turn is one record", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const calls = [1, 2].map(() => fauxToolCall("pi_memory_propose", { content: "The port is 8080." }));
	await host.play("remember it", [
		() => fauxAssistantMessage(calls, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("done"),
	]);
	expect(await type(host, "/memories")).toContain("1 record: 1 provisional");
});

test("while another process holds the store a proposal is queued, said to be, and written after that", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(HASTY);
	await type(host, "/remember the first");
	const directory = workspaceDirectory(sandbox.home, sandbox.dir);
	const [answer, searched] = await withLease(
		directory,
		async () => [
			await callMemory(host, "propose", { content: "The port is 8080." }),
			await callMemory(host, "search", {}),
		],
		() => true,
		() => {},
	);
	expect(searched?.text).toContain("[what others wrote last may be missing");
	expect(answer).toMatchObject({
		failed: false,
		text: expect.stringMatching(/^queued as mem_\w+, not on disk yet: the user is told if it fails$/),
		details: { queued: true },
	});
	await expect.poll(() => type(host, "/memories"), { timeout: 15_000 }).toContain("The port is 8080.");
	expect(host.said.join("\n")).not.toContain("came to nothing");
});

test("what was queued and fails is told to the user; what fails at once is never said to be written", async () => {
	await using sandbox = new Sandbox();
	writeFileSync(join(sandbox.dir, "home"), "a file where the stores should lie");
	const patient = await sandbox.create(WITH_MEMORY);
	expect(await callMemory(patient, "propose", { content: "The port is 8080." })).toMatchObject({
		failed: true,
		text: expect.stringMatching(/^it was not written: STORE_/),
		details: { error: true },
	});
	expect(await type(patient, "/remember the port is 8080")).toMatch(/it was not written: STORE_/);
	await patient.quit();
	const host = await sandbox.create(HASTY);
	const { text } = await callMemory(host, "propose", { content: "The port is 8080." });
	expect(text).toMatch(/^queued as /);
	await expect
		.poll(() => host.said.join("\n"), { timeout: 15_000 })
		.toContain(`what the model had remembered as ${idIn(text)} came to nothing: `);
});
