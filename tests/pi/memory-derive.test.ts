import { expect, onTestFinished, test } from "vitest";
import { DEFAULTS_IN_FORCE } from "../../src/adapters/pi/compact-config-file.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { keyringPath } from "../../src/engine/memory/keyring.ts";
import { folderMemory, newRecord } from "../memory/memories.ts";
import { type Host, type HostOptions, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

/** A session whose first prompts were folded away, and what its log says of memory. */
async function derivedIn(
	options: HostOptions = {},
	before: (sandbox: Sandbox) => Promise<void> = async () => {},
) {
	const sandbox = new Sandbox();
	onTestFinished(() => sandbox[Symbol.asyncDispose]());
	await before(sandbox);
	const host = await sandbox.create(options);
	await host.ask("From now on always use tabs in this project.");
	await work(host);
	await host.fold();
	await host.ask("go on");
	await host.ask("and on");
	await host.quit();
	const derived = async () => {
		const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
		return events.filter(({ type }) => type === "memory/derived").map(({ data }) => data);
	};
	return { sandbox, host, derived };
}

async function work(host: Host): Promise<void> {
	for (const topic of ["parsers", "printers", "readers"]) await host.work(topic, 3);
}

test("what left the window behind a commit is drawn once, provisional and for the session alone", async () => {
	const { sandbox, host, derived } = await derivedIn();
	const first = await derived();
	expect(first.map(({ provenance }) => provenance)).toEqual(expect.arrayContaining(["rule:sentence"]));
	expect(first.every(({ scope, priority }) => scope === "session" && priority === "low")).toBe(true);
	const resumed = await sandbox.open(host.file);
	await resumed.ask("still there?");
	await resumed.ask("and now?");
	await resumed.quit();
	expect(await derived()).toEqual(first);
});

test("nothing is drawn before anything left the window", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	await host.ask("From now on always use tabs in this project.");
	await host.ask("go on");
	await host.quit();
	const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
	expect(events.some(({ type }) => type === "memory/derived")).toBe(false);
});

test("nothing is drawn where that is switched off", async () => {
	const { config } = DEFAULTS_IN_FORCE;
	const off = {
		...DEFAULTS_IN_FORCE,
		config: { ...config, memory: { ...config.memory, deriveOnCompact: false } },
	};
	const engine: HostOptions["engine"] = (pi) =>
		registerEngine(pi, () => QUICK_SETTINGS, { compaction: () => off });
	const { derived } = await derivedIn({ engine });
	expect(await derived()).toEqual([]);
});

test("a rule's record of the folder that says the same is resolved", async () => {
	const text = "From now on always use tabs in this project.";
	const { sandbox } = await derivedIn({}, async (sandbox) => {
		const memory = folderMemory(sandbox.home, sandbox.dir, keyringPath(sandbox.dir));
		const data = { ...newRecord("mem_rule_old", text), provenance: "rule:sentence" };
		const bodies = [{ digest: data.body, bytes: Buffer.from(text) }];
		await memory.write(() => ({
			write: { events: [{ event: { type: "memory/derived", data }, at: 1, actor: "rule" }], bodies },
		}));
		await memory.close();
	});
	const memory = folderMemory(sandbox.home, sandbox.dir, keyringPath(sandbox.dir));
	await memory.refresh();
	expect(memory.memory.records.get("mem_rule_old")?.status).toBe("resolved");
	await memory.close();
});
