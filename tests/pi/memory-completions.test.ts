import { expect, test } from "vitest";
import { idIn, type, WITH_MEMORY } from "./memory-calls.ts";
import { type Host, Sandbox } from "./sandbox.ts";

/** What is offered behind a command, by label. */
async function offered(host: Host, name: string, prefix: string): Promise<string[]> {
	const command = host.session.extensionRunner?.getCommand(name);
	const items = (await command?.getArgumentCompletions?.(prefix)) ?? [];
	return items.map(({ value }) => value);
}

test("statuses, kinds and ids are completed, and nothing once a text began", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(host, "/remember pin the port is 8080"));
	for (const name of ["remember", "memories", "forget"]) expect(await offered(host, name, "")).toEqual([]);
	expect(await offered(host, "memories", "port ")).toEqual([]);
	expect(await offered(host, "memories", "t")).toEqual(["trust"]);
	expect(await offered(host, "memories", "kind:d")).toEqual(["kind:decision", "kind:derived"]);
	expect(await offered(host, "memories", "port status:pr")).toEqual(["port status:provisional"]);
	expect(await offered(host, "memories", "mem_")).toEqual([id]);
	expect(await offered(host, "forget", "m")).toEqual([id]);
	expect(await offered(host, "forget", "sh")).toEqual([`shred:${id}`]);
	expect(await offered(host, "forget", id)).toEqual([]);
	expect(await offered(host, "remember", "kind:fact unp")).toEqual([`kind:fact unpin:${id}`]);
	expect(await offered(host, "remember", "p")).toEqual(expect.arrayContaining(["pin", "priority:high"]));
	expect(await offered(host, "remember", "the ki")).toEqual([]);
	expect(host.errors).toEqual([]);
});
