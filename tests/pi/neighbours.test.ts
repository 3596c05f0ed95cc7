import type { ExtensionAPI, ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { BILLED, type Host, Sandbox, type Sent } from "./sandbox.ts";
import { isFold, shared } from "./shared.ts";

type Message = Sent[number];

/** A message as extensions get and return it. */
interface Loose {
	readonly role: string;
	readonly content: unknown;
	readonly timestamp: number;
}

type Hook = "context" | "context_with_system";

/** An extension that returns another list of messages from a hook. */
function changing(hook: Hook, change: (messages: Loose[]) => Loose[]): ExtensionFactory {
	return (pi) => {
		const handler = ({ messages }: { messages: unknown[] }) => ({ messages: change(messages as Loose[]) });
		(pi.on as (event: Hook, handler: unknown) => void)(hook, handler);
	};
}

const NOTE = { role: "user", content: [{ type: "text", text: "a note of the neighbour" }], timestamp: 1 };

/** What a neighbour may do to the list, and how to see that it did. */
const CHANGES: Record<string, { change: (messages: Loose[]) => Loose[]; seen: RegExp }> = {
	"adds a note at the end": { change: (messages) => [...messages, NOTE], seen: /a note of the neighbour/ },
	"adds a note behind the first prompt": {
		change: (messages) => {
			const at = messages.findIndex(({ role }) => role === "user") + 1;
			return [...messages.slice(0, at), NOTE, ...messages.slice(at)];
		},
		seen: /a note of the neighbour/,
	},
	"rewrites what tools returned": {
		change: (messages) =>
			messages.map((message) =>
				message.role === "toolResult"
					? { ...message, content: [{ type: "text", text: "shortened by the neighbour" }] }
					: message,
			),
		seen: /shortened by the neighbour/,
	},
	"drops the oldest exchange": {
		change: (messages) => {
			const [first = 0, second = 0] = messages.flatMap(({ role }, at) => (role === "user" ? [at] : []));
			return second > 0 ? [...messages.slice(0, first), ...messages.slice(second)] : messages;
		},
		seen: /./,
	},
};

/** Whether each result of a request stands behind its call, and each call has one. */
function isPaired(sent: Sent): boolean {
	const open = new Set<string>();
	for (const message of sent.map((text) => JSON.parse(text))) {
		if (message.role === "toolResult") {
			if (!open.delete(message.toolCallId)) return false;
		} else if (open.size > 0) return false;
		if (message.role !== "assistant") continue;
		for (const { type, id } of message.content) if (type === "toolCall") open.add(id);
	}
	return open.size === 0;
}

async function workAndFold(host: Host): Promise<void> {
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	expect(await host.fold()).toMatch(/^Palimpsest: folded about/);
	for (const topic of ["epsilon", "zeta"]) await host.work(topic);
}

describe.each(["context", "context_with_system"] as const)("beside an extension that works in %s", (hook) => {
	for (const order of ["before", "after"] as const) {
		test.each(Object.entries(CHANGES))(
			`loaded ${order} us, and %s, we fold`,
			async (what, { change, seen }) => {
				await using sandbox = new Sandbox();
				const host = await sandbox.create({ [order]: [changing(hook, change)] });
				await workAndFold(host);
				expect(host.errors).toEqual([]);
				expect(host.said.filter((sentence) => !/folded about/.test(sentence))).toEqual([]);
				expect(host.requests.filter((sent) => !isPaired(sent))).toEqual([]);
				const last: Sent = host.requests.at(-1) ?? [];
				expect(last[0]).toMatch(/^\{"role":"system"/);
				expect(last.some((message: Message) => seen.test(message))).toBe(true);
				// behind us the fold is the oldest there is
				const takesTheFold = what.startsWith("drops") && order === "after" && hook !== "context";
				if (!takesTheFold) expect(last.some(isFold)).toBe(true);
				expect(last.filter((message: Message) => /alpha\/page-0/.test(message) && !isFold(message))).toEqual(
					[],
				);
			},
		);
	}
});

test("beside an extension that adds a note at one place, the window only grows between commits", async () => {
	await using sandbox = new Sandbox();
	const note = CHANGES["adds a note behind the first prompt"];
	if (!note) throw new Error("no such change");
	const host = await sandbox.create({ before: [changing("context_with_system", note.change)] });
	await workAndFold(host);
	const [last, before] = [host.requests.at(-1) ?? [], host.requests.at(-2) ?? []];
	expect(before.some(isFold)).toBe(true);
	expect(shared(before, last)).toBe(before.length);
});

/** Stands in for another extension: a tool and commands that say whose they are. */
function standIn(tools: readonly string[], commands: readonly string[]): ExtensionFactory {
	return (pi) => {
		for (const name of tools) {
			pi.registerTool({
				name,
				label: name,
				description: "the neighbour's",
				parameters: Type.Object({}),
				execute: async () => ({ content: [{ type: "text", text: "from the neighbour" }], details: {} }),
			});
		}
		for (const name of commands) {
			const handler = async (_args: string, ctx: { ui: { notify: (text: string) => void } }) =>
				ctx.ui.notify(`/${name} of the neighbour`);
			pi.registerCommand(name, { description: "the neighbour's", handler });
		}
	};
}

/** The whole extension beside another, in a model's window that fills within some prompts. */
function beside(sandbox: Sandbox, order: "before" | "after", neighbour: ExtensionFactory): Promise<Host> {
	return sandbox.create({
		[order]: [neighbour],
		engine: (pi: ExtensionAPI) => registerPalimpsest(pi),
		models: BILLED,
		tools: ["fetch", "pi_fold_context", "pi_compact_recall"],
	});
}

function descriptions(host: Host, name: string): string[] {
	return host.session.getAllTools().flatMap((tool) => (tool.name === name ? [tool.description] : []));
}

describe.each(["before", "after"] as const)("loaded %s us", (order) => {
	test.each([
		["its tool", ["pi_fold_context"], []],
		["its commands", [], ["fold", "fold-status"]],
		["both", ["pi_fold_context"], ["fold", "fold-editor"]],
	])(
		"an extension that folds, known by %s, folds alone, and that is said once",
		async (_by, tools, commands) => {
			await using sandbox = new Sandbox();
			const host = await beside(sandbox, order, standIn(tools, commands));
			for (let n = 0; n < 8; n++) await host.work(`topic-${n}`, 3, 6_000);
			expect(host.said).toEqual([
				expect.stringMatching(/^Palimpsest: another extension folds here \(.*fold.* of .+\), /),
			]);
			await host.runtime.newSession();
			await host.ask("in a new session");
			expect(host.said).toHaveLength(1);
			expect(host.requests.some((sent) => sent.some(isFold))).toBe(false);
			expect(host.path("custom")).toEqual([]);
			expect(sandbox.stores()).toEqual([]);
			expect(descriptions(host, "pi_fold_context")).toEqual(tools.map(() => "the neighbour's"));
			const others = host.session.extensionRunner
				.getRegisteredCommands()
				.map(({ invocationName }) => invocationName);
			expect(others).toEqual(commands);
			expect(host.errors).toEqual([]);
		},
	);

	test("an extension that compacts keeps its part, and we fold", async () => {
		await using sandbox = new Sandbox();
		const compacts: ExtensionFactory = async (pi) => {
			await standIn(["pi_compact_recall"], ["pi-compact-status"])(pi);
			pi.on("session_before_compact", ({ reason, preparation: { firstKeptEntryId, tokensBefore } }) =>
				reason === "manual"
					? { compaction: { summary: "the neighbour's checkpoint", firstKeptEntryId, tokensBefore } }
					: undefined,
			);
		};
		const host = await beside(sandbox, order, compacts);
		for (let n = 0; n < 12; n++) await host.work(`topic-${n}`, 3, 6_000);
		expect(host.said[0]).toMatch(
			/^Palimpsest: compactions and memory are left to another extension \(pi_compact_recall of /,
		);
		expect(host.said.slice(1).every((sentence) => /folded about/.test(sentence))).toBe(true);
		expect(host.requests.at(-1)?.some(isFold)).toBe(true);
		expect((await host.session.compact()).summary).toBe("the neighbour's checkpoint");
		expect(descriptions(host, "pi_compact_recall")).toEqual(["the neighbour's"]);
		expect(host.errors).toEqual([]);
	});
});

test("loaded twice, one of the two folds and the other says that it does not", async () => {
	await using sandbox = new Sandbox();
	const host = await beside(sandbox, "before", (pi) => void registerPalimpsest(pi));
	for (let n = 0; n < 8; n++) await host.work(`topic-${n}`, 3, 6_000);
	expect(host.said[0]).toMatch(/^Palimpsest: another extension folds here/);
	expect(host.requests.at(-1)?.some(isFold)).toBe(true);
	expect(host.errors).toEqual([]);
});
