import { appendFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { KillPoints } from "./kill-points.ts";
import { nodesOn } from "./outside.ts";
import { Host, QUICK_SETTINGS } from "./sandbox.ts";

// A host on a session there is, which works for a while or until it is killed.
const [cwd = "", directory = "", file = "", last = "0"] = process.argv.slice(2);
const note = (name: string, what: object) =>
	appendFileSync(join(directory, name), `${JSON.stringify(what)}\n`);
const points = new KillPoints(join(directory, "points"), Number(last));
points.watchWriting((version, hash) => note("acknowledged", { version, hash }));

// so that a commit is forced in the middle
const settings = { ...QUICK_SETTINGS, policy: "band" as const, inputBudget: 9_000 };
const host = await Host.open(cwd, SessionManager.open(file), {
	settings,
	tools: ["bash", "fetch", "pi_fold_context"],
	engine: (pi) => registerEngine(points.around(pi), () => settings),
	before: [points.hooks("before")],
	after: [points.hooks("behind")],
});

type Arguments = Parameters<typeof fauxToolCall>[1];
let calls = 0;
const call = (tool: string, args: Arguments) => fauxToolCall(tool, args, { id: `new-call-${++calls}` });
const fetch = (page: string, chars = 1_500) => call("fetch", { page, chars });
const fold = (args: Arguments) => call("pi_fold_context", args);
const results = () =>
	host
		.path("message")
		.filter((id) => JSON.stringify(host.session.sessionManager.getEntry(id)).includes('"role":"toolResult"'));

/** The model makes calls, reply by reply, and is done. */
async function turn(prompt: string, ...batches: readonly (() => ReturnType<typeof call>[])[]): Promise<void> {
	const sent = () => {
		const { sent = [], path } = host.asked.at(-1) ?? {};
		note("requests", { sent, nodes: nodesOn(path ?? []).length });
		points.pass("window, sent");
	};
	const steps = batches.map((batch) => () => {
		sent();
		return fauxAssistantMessage(batch(), { stopReason: "toolUse" });
	});
	await host.play(prompt, [
		...steps,
		() => {
			sent();
			return fauxAssistantMessage("done");
		},
	]);
}

await turn(
	"work",
	() => [fetch("a"), fold({ action: "pin", ids: [results().at(-1) ?? ""] }), fetch("b")],
	() => [
		fold({ action: "expand", id: process.env.FOLD ?? "" }),
		fold({ action: "peek", id: process.env.FOLD ?? "", bytes: 2_000 }),
	],
	() => [call("bash", { command: "seq 1 200000" })],
);
await host.session.prompt("/fold");
await turn(
	"go on",
	() => [fetch("c", 9_000)],
	() => [fetch("d", 9_000)],
	() => [fetch("e", 900)],
);
await host.quit();
