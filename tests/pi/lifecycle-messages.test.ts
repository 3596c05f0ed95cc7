import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { furnished, goOn, messages, OPTIONS, TOOLS } from "./furnished.ts";
import { expectAll } from "./invariants.ts";
import { isOurs } from "./outside.ts";
import { QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { shared } from "./shared.ts";

test("labels, names, notes for nobody and custom messages leave what was sent as it was", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	for (const name of ["one", "two"]) {
		const before = host.requests.at(-1) ?? [];
		const { sessionManager } = host.session;
		sessionManager.appendLabelChange(messages(host, "user")[2] ?? "", name);
		host.session.setSessionName(name);
		sessionManager.appendCustomEntry("of another extension", { name });
		await host.session.sendCustomMessage({ customType: "note", content: `a note, ${name}`, display: true });
		const after = await host.ask("and now?");
		expect(shared(before, after)).toBe(before.length);
		await goOn(host, name);
	}
	await expectAll(sandbox, host);
});

test("messages queued while the model works come raw and in their order", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const fetch = (page: string) =>
		fauxAssistantMessage(fauxToolCall("fetch", { page, chars: 1_500 }), { stopReason: "toolUse" });
	const before = host.requests.at(-1) ?? [];
	const sent = await host.play("work", [
		async () => {
			await host.session.steer("mind the gap");
			await host.session.followUp("and then this");
			return fetch("a");
		},
		() => fetch("b"),
		() => fauxAssistantMessage("done"),
		() => fauxAssistantMessage("done too"),
	]);
	expect(shared(before, sent)).toBe(before.length);
	const said = sent.filter((message) => /mind the gap|and then this/.test(message));
	expect(said).toHaveLength(2);
	await goOn(host);
	await expectAll(sandbox, host);
});

test("a turn so long that commits fall into it keeps what was asked raw, and what the model does with our tool in it", async () => {
	await using sandbox = new Sandbox();
	const settings = { ...QUICK_SETTINGS, policy: "band" as const, inputBudget: 9_000 };
	const host = await sandbox.create({ tools: TOOLS, settings });
	await host.ask("hello");
	const calls = Array.from({ length: 40 }, (_, n) => () => {
		const fold = /\b[fg]\d+-[0-9a-f]{8}\b/.exec(host.requests.at(-1)?.find(isOurs) ?? "")?.[0];
		const ours = [
			{ action: "peek", id: fold, bytes: 1_100 },
			{ action: "pin", ids: [messages(host, "toolResult").at(-1)] },
			{ action: "expand", id: fold },
		];
		const args = fold && ours[n % 10];
		const call = args
			? fauxToolCall("pi_fold_context", args as never)
			: fauxToolCall("fetch", { page: `p${n}`, chars: 2_400 });
		return fauxAssistantMessage(call, { stopReason: "toolUse" });
	});
	const sent = await host.play("read all there is", [...calls, () => fauxAssistantMessage("done")]);
	expect(sent.some((message) => message.includes('"text":"read all there is"'))).toBe(true);
	expect(sent.length).toBeLessThan(40);
	await goOn(host);
	await expectAll(sandbox, host);
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const made = new Set(events.map(({ type }) => type));
	for (const type of ["commit/applied", "pin/placed", "fold/expanded", "fold/peeked"])
		expect(made).toContain(type);
});

test("images in results and in what the user says fold and stay as other messages do", async () => {
	await using sandbox = new Sandbox();
	const camera = (pi: ExtensionAPI) => {
		pi.registerTool({
			name: "look",
			label: "Look",
			description: "Returns a picture",
			parameters: Type.Object({ at: Type.String() }),
			execute: async (_id, { at }) => ({
				content: [
					{ type: "text", text: `a picture of ${at}` },
					{ type: "image", data: PIXEL, mimeType: "image/png" },
				],
				details: {},
			}),
		});
	};
	const options = { ...OPTIONS, tools: [...TOOLS, "look"], before: [camera] };
	const host = await furnished(sandbox, options);
	for (const name of ["one", "two"]) {
		await host.play(`look at ${name}`, [
			() => fauxAssistantMessage(fauxToolCall("look", { at: name }), { stopReason: "toolUse" }),
			() => fauxAssistantMessage("seen"),
		]);
		host.script([() => fauxAssistantMessage("a pixel")]);
		await host.session.prompt(`what is this, ${name}?`, {
			images: [{ type: "image", data: PIXEL, mimeType: "image/png" }],
		});
		await goOn(host, name);
	}
	await expectAll(sandbox, host);
});

const PIXEL =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("commands the user ran himself fold as messages do, and those kept from the model stay so", async () => {
	await using sandbox = new Sandbox();
	const host = await furnished(sandbox, OPTIONS);
	const ran = (output: string) => ({ output, exitCode: 0, cancelled: false, truncated: false });
	for (const name of ["one", "two"]) {
		host.session.recordBashResult(`make ${name}`, ran(`${name} was made\n`.repeat(100)));
		host.session.recordBashResult(`cat ${name}`, ran("a secret"), { excludeFromContext: true });
		const sent = await host.ask("done?");
		expect(sent.some((message) => message.includes("a secret"))).toBe(false);
		expect(sent.some((message) => message.includes(`make ${name}`))).toBe(true);
		await goOn(host, name);
	}
	const sent = host.requests.at(-1) ?? [];
	expect(sent.some((message) => !isOurs(message) && message.includes("one was made"))).toBe(false);
	expect(sent.some((message) => message.includes("a secret"))).toBe(false);
	await expectAll(sandbox, host);
});
