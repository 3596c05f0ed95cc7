import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { expect, test } from "vitest";
import { type Host, Sandbox } from "./sandbox.ts";

const asking = () =>
	fauxAssistantMessage(
		[fauxToolCall("pi_compact_new_context", {}), fauxToolCall("pi_compact_new_context", {})],
		{
			stopReason: "toolUse",
		},
	);
const TOOLS = ["fetch", "pi_compact_new_context"];

/** Waits until the model has answered so many requests. */
async function requestsOf(host: Host, count: number): Promise<void> {
	await expect.poll(() => host.requests.length, { timeout: 10_000 }).toBe(count);
	await expect.poll(() => host.session.isStreaming, { timeout: 10_000 }).toBe(false);
}

test("the model that asks for a fresh window gets one checkpoint, and goes on by itself once", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools: TOOLS });
	for (const topic of ["parsers", "printers", "readers"]) await host.work(topic, 3);
	const before = host.requests.length;
	host.script([asking, () => fauxAssistantMessage("going on"), () => fauxAssistantMessage("twice?")]);
	await host.session.prompt("take a fresh window, then go on");
	await requestsOf(host, before + 2);
	expect(host.path("compaction")).toHaveLength(1);
	expect(host.requests.at(-1)?.at(-1)).toContain("Go on with the work");
	expect(host.errors).toEqual([]);
});

test("where there is nothing to compact the work goes on as it is, and that is said", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools: TOOLS });
	host.script([asking, () => fauxAssistantMessage("going on"), () => fauxAssistantMessage("twice?")]);
	await host.session.prompt("take a fresh window, then go on");
	await requestsOf(host, 2);
	expect(host.path("compaction")).toEqual([]);
	expect(host.said.join("\n")).toContain("the window was not compacted");
	expect(host.requests.at(-1)?.at(-1)).toContain("was not compacted");
});

test("what the user says in the meantime comes first, and nothing goes on beside it", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools: TOOLS });
	for (const topic of ["parsers", "printers", "readers"]) await host.work(topic, 3);
	const before = host.requests.length;
	const interrupted = async () => {
		await host.session.steer("no, do this instead");
		return asking();
	};
	host.script([interrupted, () => fauxAssistantMessage("as you say"), () => fauxAssistantMessage("twice?")]);
	await host.session.prompt("take a fresh window, then go on");
	await requestsOf(host, before + 2);
	expect(host.requests.at(-1)?.at(-1)).toContain("do this instead");
	expect(host.path("compaction")).toEqual([]);
});
