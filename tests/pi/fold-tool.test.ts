import { expect, test } from "vitest";
import { callFold } from "./fold-calls.ts";
import { type Host, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

const tools = ["fetch", "pi_fold_context"];

async function foldedHost(sandbox: Sandbox): Promise<{ host: Host; id: string }> {
	const host = await sandbox.create({ tools });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const sent = await host.ask("after?");
	const id = /"id\\":\\"([fg]\d+-[0-9a-z]+)/.exec(sent.join("\n"))?.[1] ?? "";
	return { host, id };
}

test("the model reads a fold back, each of its entries byte for byte as in the session file", async () => {
	await using sandbox = new Sandbox();
	const { host, id } = await foldedHost(sandbox);
	expect(id).not.toBe("");
	const { text, failed } = await callFold(host, { action: "peek", id, bytes: 200_000 });
	expect(failed).toBe(false);
	const originals = host
		.lines()
		.filter((line) => JSON.parse(line).type === "message")
		.slice(1, 3);
	for (const line of originals) expect(text).toContain(line);
	expect(host.errors).toEqual([]);
});

test("what a slice leaves out is told last, with the call that reads on", async () => {
	await using sandbox = new Sandbox();
	const { host, id } = await foldedHost(sandbox);
	const { text } = await callFold(host, { action: "peek", id, bytes: 1_024 });
	const next = /\[(\d+) bytes are left: pi_fold_context (\{.*\})\]$/.exec(text);
	expect(next).not.toBeNull();
	const { offset } = JSON.parse(next?.[2] ?? "{}");
	const rest = await callFold(host, { action: "peek", id, offset, bytes: 200_000 });
	expect(rest.text).toContain(`from byte ${offset}`);
	expect(rest.text).not.toContain("bytes are left");
});

test("a slice or a page that is out of reach is the nearest that is not", async () => {
	await using sandbox = new Sandbox();
	const { host, id } = await foldedHost(sandbox);
	const least = await callFold(host, { action: "peek", id, bytes: 1_024 });
	expect((await callFold(host, { action: "peek", id, bytes: 1, offset: -5 })).text).toBe(least.text);
	const most = await callFold(host, { action: "peek", id, bytes: 200_000 });
	expect((await callFold(host, { action: "peek", id, bytes: 900_000 })).text).toBe(most.text);
	const page = JSON.parse((await callFold(host, { action: "status", detail: "objects", limit: 0 })).text);
	expect(page.rows).toHaveLength(1);
});

test("an id that is not there is refused with a hint where ids stand", async () => {
	await using sandbox = new Sandbox();
	const { host } = await foldedHost(sandbox);
	const { text, failed } = await callFold(host, { action: "peek", id: "f99-nowhere" });
	expect(failed).toBe(true);
	expect(text).toContain("nothing here is called f99-nowhere");
});

test("an offset behind the end is refused with the size and a call that works, and nothing counts as read", async () => {
	await using sandbox = new Sandbox();
	const { host, id } = await foldedHost(sandbox);
	const total = Number(
		/ (\d+) bytes, from byte 0/.exec((await callFold(host, { action: "peek", id })).text)?.[1],
	);
	for (const offset of [total, total + 1_000]) {
		const { text, failed } = await callFold(host, { action: "peek", id, offset });
		expect(failed).toBe(true);
		expect(text).toBe(
			`OFFSET_BEYOND_END: ${id} holds ${total} bytes, counted from 0: byte ${offset} is behind the last; what works: pi_fold_context {"action":"peek","id":"${id}"}`,
		);
	}
	const last = await callFold(host, { action: "peek", id, offset: total - 1 });
	expect(last.failed).toBe(false);
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	expect(events.filter(({ type }) => type === "fold/peeked")).toHaveLength(2);
	expect(host.errors).toEqual([]);
});
