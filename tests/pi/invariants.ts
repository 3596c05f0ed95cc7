import { join } from "node:path";
import { expect } from "vitest";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { foldSpans } from "../../src/debug/fold-spans.ts";
import { readBack } from "../../src/debug/read-back.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import type { Asked } from "./asked.ts";
import { expectSound, isOurs, nodesOn, type Request, rawWindow, sentOf } from "./outside.ts";
import { expectPast, type PastRequest, pastRequests } from "./past-windows.ts";
import type { Host, Sandbox } from "./sandbox.ts";

const WHOLE = { offset: 0, bytes: Number.MAX_SAFE_INTEGER };

/** Hosts have quit without an error, and all they sent keeps what sessions promise. */
export async function expectAll(sandbox: Sandbox, ...hosts: readonly Host[]): Promise<void> {
	for (const host of hosts) {
		await host.quit();
		expect(host.errors).toEqual([]);
	}
	await expectInvariants(
		sandbox,
		hosts.flatMap(({ asked }) => asked),
	);
}

/**
 * All that can be seen from outside of what a session promises, of every request its hosts sent, which have quit: that
 * they are sound; that each was recorded and can be rebuilt; that what changed them is named, and was a decision with a
 * node on the path where it is ours; and that everything ever said can be read back, byte for byte.
 */
async function expectInvariants(sandbox: Sandbox, requests: readonly Asked[]): Promise<void> {
	expectSound(requests);
	for (const session of new Set(requests.map((asked) => asked.session))) {
		const asked = requests.filter((request) => request.session === session);
		if (asked[0]?.file === undefined) continue;
		const directory = join(sandbox.home, "sessions", session);
		expect((await verifyDirectory(directory)).damage).toEqual([]);
		await using store = await openStore({ directory, registry: REGISTRY });
		const { past, states } = await pastRequests(store);
		expectPast(
			past,
			asked.map(({ sent }) => sent),
		);
		for (const [index, request] of asked.entries()) expectDecided(states, request, past[index]);
		expectLossless(store, states, asked);
	}
}

/** What is in force is the last decision whose node is on the path. */
function expectDecided({ tree }: SessionStates, { path }: Asked, past: PastRequest | undefined): void {
	const placed = new Map(
		tree.nodes.flatMap((bucket) => [...bucket.values()]).map(({ id, decision }) => [id, decision]),
	);
	const decisions = nodesOn(path).map(({ id }) => placed.get(id) ?? undefined);
	expect(past?.decision).toBe(decisions.at(-1));
}

/** Every entry can be read back by its id, and what a fold in the last window stands for by that fold's. */
function expectLossless(store: Store, states: SessionStates, requests: readonly Asked[]): void {
	const read = (id: string) => readBack(states, (digest) => store.blob(digest), id, WHOLE);
	for (const entry of new Map(
		requests.flatMap(({ path }) => path.map((entry) => [entry.id, entry])),
	).values()) {
		const { digest } = nodeOf(states.tree, entry.id) ?? {};
		const original = digest === undefined ? undefined : store.blob(digest);
		expect(original && new TextDecoder().decode(original)).toBe(JSON.stringify(entry));
		const found = read(entry.id);
		// the model reads what an edit left
		if (!found?.output && found?.edited.length === 0) expect(found.text).toBe(JSON.stringify(entry));
	}
	const { sent, path } = sentOf(requests).at(-1) as Request;
	const texts = sent.filter(isOurs).join("\n");
	const stand = [...foldSpans(states).keys()].filter((fold) => texts.includes(fold));
	const behind = new Set(stand.flatMap((fold) => read(fold)?.text.split("\n") ?? []));
	const shown = new Set(sent);
	const results = new Set(sent.map((message) => JSON.parse(message).toolCallId));
	const edited = new Set(path.flatMap((entry) => (entry.type === "context_edit" ? entry.targetId : [])));
	for (const { entry, json } of rawWindow(path)) {
		if (edited.has(entry.id)) continue;
		const { toolCallId, role } = JSON.parse(json);
		if (shown.has(json) || role === "assistant" || (toolCallId && results.has(toolCallId))) continue;
		expect(behind).toContain(JSON.stringify(entry));
	}
}
