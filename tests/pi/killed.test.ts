import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import { furnished, OPTIONS } from "./furnished.ts";
import { Killed, type Left } from "./killed.ts";
import { expectSound, nodesOn } from "./outside.ts";
import { expectPast, pastRequests } from "./past-windows.ts";
import { type HostOptions, Sandbox } from "./sandbox.ts";

/** As the killed hosts, but that nothing is folded unless it is asked for. */
const REOPENED: HostOptions = { ...OPTIONS, tools: ["bash", "fetch", "pi_fold_context"] };

/** Where a host is killed unless all places are wanted: name, and how often it was passed then. */
const CHOSEN: readonly (readonly [string, number])[] = [
	["pin/placed, durably, stored", 1],
	["node, before it is appended", 1],
	["node, appended", 2],
	["toolResult, persisted", 2],
	["context_with_system, behind ours", 5],
	["a piece of an output, being kept", 2],
	["commit/applied, durably, being stored", 2],
	["window, sent", 6],
];
const EVERYWHERE = process.env.PALIMPSEST_SLOW === "1";

let sandbox: Sandbox;
let killed: Killed;
let session: string;

beforeAll(async () => {
	sandbox = new Sandbox();
	const host = await furnished(sandbox, REOPENED);
	await host.quit();
	session = host.session.sessionId;
	const fold = /\b[fg]\d+-[0-9a-f]{8}\b/.exec(host.requests.at(-1)?.join("") ?? "")?.[0] ?? "";
	killed = new Killed(sandbox, host, fold);
});
const { TMPDIR } = process.env;
afterAll(async () => {
	if (TMPDIR === undefined) delete process.env.TMPDIR;
	else process.env.TMPDIR = TMPDIR;
	await sandbox[Symbol.asyncDispose]();
});

/** The store of a session in some home, looked into while nobody has it open. */
async function lookInto(directory: string) {
	const place = join(directory, "home", "sessions", session);
	expect((await verifyDirectory(place)).damage).toEqual([]);
	return openStore({ directory: place, registry: REGISTRY });
}

/** What the store said it holds it does, and what the model was told was done is in the session. */
async function expectDurable(left: Left): Promise<void> {
	if (left.acknowledged.length === 0) return;
	await using store = await lookInto(left.directory);
	const [stream = ""] = store.streams();
	for (const { version, hash } of left.acknowledged)
		expect(store.event(stream, version - 1)?.hash).toBe(hash);
	const done = left.entries.filter((entry) => /"text":"Done \((pin|expand)-/.test(JSON.stringify(entry)));
	expect(nodesOn(left.entries).length).toBeGreaterThanOrEqual(done.length);
}

/**
 * The next request is what it would have been, with the store and from the nodes alone, and all goes on from there. Gives
 * how many requests of an undisturbed life it was held against.
 */
async function expectUndisturbed(left: Left, control: Left): Promise<number> {
	await expectDurable(left);
	const host = await killed.reopen(left, REOPENED);
	const sent = await host.ask("what now?");
	const first = killed.alike(sent, left.entries);
	const bare = await killed.reopen(left, REOPENED, { withStore: false });
	expect(killed.alike(await bare.ask("what now?"), left.entries)).toEqual(first);
	await bare.quit();
	expect([...bare.said, ...bare.errors]).toEqual([]);

	const nodes = nodesOn(left.entries).length;
	expect(nodesOn(host.asked[0]?.path ?? []).length).toBe(nodes);
	let compared = 0;
	const before = left.requests.at(-1) ?? killed.last;
	if (before.nodes === nodes) {
		const then = killed.alike(before.sent, left.entries);
		expect(first.slice(0, then.length)).toEqual(then);
		compared++;
	}
	const next = control.requests[left.requests.length];
	if (next?.nodes === nodes) {
		const then = killed.alike(next.sent, control.entries);
		expect(then.slice(0, first.length - 1)).toEqual(first.slice(0, -1));
		compared++;
	}

	for (const topic of ["one", "two", "three"]) await host.work(topic);
	await host.fold();
	await host.ask("and then?");
	await host.quit();
	expect(nodesOn(host.asked.at(-1)?.path ?? []).length).toBeGreaterThan(nodes);
	expect(host.errors).toEqual([]);
	const lost = host.said.filter((words) => !words.startsWith("Palimpsest: folded"));
	expect(lost.length).toBeLessThanOrEqual(1);
	for (const words of lost) expect(words).toMatch(/cannot be had: the session went on/);
	expectSound(host.asked);
	await using store = await lookInto(killed.directoryOf(host));
	const { past } = await pastRequests(store);
	expectPast(
		past.slice(-host.asked.length),
		host.asked.map(({ sent }) => sent),
	);
	const again = await killed.reopenAgain(host, REOPENED);
	await again.ask("told again?");
	expect(again.said).toEqual([]);
	await again.quit();
	return compared;
}

/** Kills hosts at places, two at a time. */
async function killAt(points: readonly number[], control: Left, options: { withStore: boolean }) {
	let killings = 0;
	let compared = 0;
	for (let n = 0; n < points.length; n += 2) {
		const all = await Promise.all(points.slice(n, n + 2).map((point) => killed.run(point, options)));
		for (const left of all) {
			const at = left.points.at(-1);
			if (left.wasKilled) killings++;
			compared += await expectUndisturbed(left, control).catch((error) => {
				throw new Error(`killed at ${at}, place ${left.points.length}: ${error.message}`, { cause: error });
			});
			killed.forget(left);
		}
	}
	return { killings, compared };
}

test(
	"a host killed anywhere sends next what it would have sent, loses nothing, and tells of lost decisions once",
	async () => {
		const control = await killed.run(0);
		expect(control.requests).toHaveLength(8);
		const nth = (name: string, count: number) => {
			const places = control.points.flatMap((point, n) => (point === name ? [n + 1] : []));
			expect(places.length).toBeGreaterThanOrEqual(count);
			return places[count - 1] ?? 0;
		};
		const points = EVERYWHERE
			? control.points.map((_, n) => n + 1).slice(0, -1)
			: CHOSEN.map(([name, count]) => nth(name, count));
		const { killings, compared } = await killAt(points, control, { withStore: true });
		// behind the last hook a place or two may not be reached twice
		expect(killings).toBeGreaterThanOrEqual(points.length - 3);
		expect(compared).toBeGreaterThanOrEqual(points.length * 0.9);
	},
	EVERYWHERE ? 7_200_000 : 120_000,
);

test(
	"a host killed while it catches up with a session it has no store of does so anew, and sends the same",
	async () => {
		const control = await killed.run(0, { withStore: false });
		const first = control.points.indexOf("entry/recorded, being stored");
		const end = control.points.indexOf("window, sent");
		const all = Array.from({ length: end - first }, (_, n) => first + n + 1);
		const points = EVERYWHERE ? all : [0.3, 0.8].map((share) => all[Math.floor(all.length * share)] ?? 0);
		const { killings, compared } = await killAt(points, control, { withStore: false });
		expect(killings).toBe(points.length);
		expect(compared).toBeGreaterThanOrEqual(points.length);
	},
	EVERYWHERE ? 7_200_000 : 120_000,
);
