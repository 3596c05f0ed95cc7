import { VERSION } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { isAtLeast } from "../../src/adapters/pi/host-version.ts";
import { AnthropicServer, type WireRequest } from "./anthropic-server.ts";
import { type Block, meaningOf } from "./anthropic-wire.ts";
import { chatBreach, OpenAiServer, responsesBreach } from "./openai-server.ts";
import { type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";

/** Pages fetched for each prompt. */
const PAGES = 3;

/** Fetches three pages for a prompt, one a request, and reports. */
function fetching({ messages }: WireRequest, nth: number): readonly Block[] {
	const asked = messages.findLastIndex(
		({ role, content }) => role === "user" && !/tool_result/.test(meaningOf([{ role, content }])),
	);
	const page = messages.slice(asked).filter(({ role }) => role === "assistant").length;
	if (page === PAGES) return [{ type: "text", text: "Read all of it." }];
	const input = { page: `src/topic-${asked}/page-${page}.ts`, chars: 3_000 };
	return [{ type: "tool_use", id: `toolu_${nth}`, name: "fetch", input }];
}

/** The same, each reply after a thought. */
function thinking(request: WireRequest, nth: number): readonly Block[] {
	return [
		{ type: "thinking", thinking: `thought ${nth} ${"of that ".repeat(40)}`, signature: "" },
		...fetching(request, nth),
	];
}

async function hostOn(
	sandbox: Sandbox,
	servers: readonly (AnthropicServer | OpenAiServer)[],
	model: string,
): Promise<Host> {
	const host = await sandbox.create({
		before: servers.map(({ provider }) => provider),
		settings: { ...QUICK_SETTINGS, policy: "band" },
	});
	await switchTo(host, "wire", model);
	return host;
}

async function switchTo(host: Host, provider: string, id: string): Promise<void> {
	const model = host.session.modelRuntime.getModel(provider, id);
	if (!model) throw new Error(`no model ${id}`);
	await host.session.setModel(model);
}

async function work(host: Host, prompts: number): Promise<void> {
	for (let n = 0; n < prompts; n++) await host.session.prompt(`Read about topic ${n}`);
}

/** Messages at the head of a request that mean what they meant in the one before. */
function keptOf(before: WireRequest, { messages }: WireRequest): number {
	const differs = before.messages.findIndex(
		(message, at) => !messages[at] || meaningOf([message]) !== meaningOf([messages[at]]),
	);
	return differs === -1 ? before.messages.length : differs;
}

/** What of an earlier request changed in the next, by the requests' places. */
function rewrites({ requests }: AnthropicServer): number[] {
	return requests.flatMap((request, at) => {
		const before = requests[at - 1];
		return before && keptOf(before, request) < before.messages.length ? [at] : [];
	});
}

/** Commits the host was told of. */
function commits(host: Host): number {
	return host.said.filter((sentence) => /folded about/.test(sentence)).length;
}

// the host sends none before
const withThreads = test.skipIf(!isAtLeast(VERSION, "1.5.2"));

withThreads(
	"with message threads one request a commit is sent in full, and only what is new between",
	async () => {
		await using server = await AnthropicServer.listen({ reply: fetching });
		await using sandbox = new Sandbox();
		const host = await hostOn(sandbox, [server], "threaded");
		await work(host, 22);
		expect(host.errors).toEqual([]);
		expect(server.requests.filter(({ refused }) => refused)).toEqual([]);
		expect(commits(host)).toBeGreaterThan(0);
		const full = server.requests.flatMap(({ body }, at) => (body.thread?.type === "create" ? [at] : []));
		expect(full).toEqual([0, ...rewrites(server)]);
		expect(full).toHaveLength(1 + commits(host));
		for (const { body } of server.requests.filter(({ body }) => body.thread?.type === "continue")) {
			expect(body.messages).toHaveLength(1);
		}
	},
);

test("without threads each request begins with the one before it, cache markers aside, unless a commit lies between", async () => {
	await using server = await AnthropicServer.listen({ reply: fetching });
	await using sandbox = new Sandbox();
	const host = await hostOn(sandbox, [server], "plain");
	await work(host, 12);
	await host.fold();
	await host.session.prompt("Read about what is left");
	expect(host.errors).toEqual([]);
	expect(server.requests.filter(({ refused }) => refused)).toEqual([]);
	expect(commits(host)).toBeGreaterThan(0);
	expect(rewrites(server)).toHaveLength(commits(host));
	for (const { body } of server.requests) {
		expect(JSON.stringify(body).split('"cache_control"').length - 1).toBeLessThanOrEqual(4);
	}
});

test("where thoughts are bound to their past and dropped or refused elsewhere, a commit sends none of them behind it", async () => {
	await using server = await AnthropicServer.listen({ reply: thinking, bindsThinking: true });
	await using sandbox = new Sandbox();
	const host = await hostOn(sandbox, [server], "adaptive");
	host.session.setThinkingLevel("high");
	await work(host, 9);
	expect(host.errors).toEqual([]);
	expect(commits(host)).toBeGreaterThan(0);
	expect(server.requests.filter(({ refused }) => refused)).toEqual([]);
	expect(server.requests.filter(({ body }) => body.thinking?.type !== "adaptive")).toEqual([]);
	expect(meaningOf(server.requests.at(-1)?.messages ?? [])).toContain("signature");
});

test("a signature refused whatever is sent ends the run in words, and the session stays usable", async () => {
	const refusal = { message: "messages.1.content.0: Invalid `signature` in `thinking` block" };
	await using server = await AnthropicServer.listen({ reply: thinking });
	await using sandbox = new Sandbox();
	const host = await hostOn(sandbox, [server], "budget");
	host.session.setThinkingLevel("high");
	await work(host, 9);
	expect(commits(host)).toBeGreaterThan(0);
	const sent = server.requests.length;
	server.behaviour = { reply: thinking, refuse: () => refusal };
	await host.session.prompt("Read about what is refused");
	expect(server.requests.at(-1)?.refused).toBe(refusal.message);
	expect(server.requests).toHaveLength(sent + 2);
	expect(host.said.at(-1)).toMatch(/still refuses thinking/);
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "error" });
	server.behaviour = { reply: thinking };
	await host.session.prompt("Read about what is not");
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
	expect(host.errors).toEqual([]);
});

test("where thoughts are bound although no model says so, the refusal is met by sending none, and the run goes on", async () => {
	await using server = await AnthropicServer.listen({ reply: thinking, bindsThinking: true });
	await using sandbox = new Sandbox();
	const host = await hostOn(sandbox, [server], "budget");
	host.session.setThinkingLevel("high");
	await work(host, 9);
	expect(commits(host)).toBeGreaterThan(0);
	expect(server.requests.filter(({ refused }) => refused).length).toBeLessThanOrEqual(1);
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop" });
});

test("a folded window is a conversation that OpenAI's two endpoints take, calls answered and nothing empty", async () => {
	await using anthropic = await AnthropicServer.listen({ reply: thinking });
	await using openai = await OpenAiServer.listen();
	await using sandbox = new Sandbox();
	const host = await hostOn(sandbox, [anthropic, openai], "budget");
	host.session.setThinkingLevel("high");
	await work(host, 9);
	expect(commits(host)).toBeGreaterThan(0);
	await switchTo(host, "chat", "chat");
	await host.session.prompt("over to another provider");
	await switchTo(host, "responses", "responses");
	await host.session.prompt("and to a third");
	expect(host.session.messages.at(-1)).toMatchObject({ stopReason: "stop", content: [{ text: "noted" }] });
	expect(host.errors).toEqual([]);
	const [chat = []] = openai.chats;
	const [items = []] = openai.responses;
	for (const window of [chat, items]) expect(JSON.stringify(window)).toContain("[Written by the runtime");
	expect(chatBreach(chat)).toBe(undefined);
	expect(responsesBreach(items)).toBe(undefined);
	expect(chat.filter(({ role }) => role === "tool").length).toBeGreaterThan(0);
	expect(items.filter(({ type }) => type === "function_call_output").length).toBeGreaterThan(0);
});
