import { expect, test } from "vitest";
import { UNPRICED } from "../../projections/price.ts";
import { expiredIn } from "../../src/debug/expired.ts";
import type { History, PastRequest } from "../../src/debug/history.ts";

const LIFE = UNPRICED.lifetimeMs;

interface Sent {
	readonly at: number;
	readonly cold?: boolean;
	readonly commit?: string;
	readonly model?: string;
}

/** Which requests of a session found an expired cache; commits by id, with the trigger and the request before. */
function expired(sent: readonly Sent[], commits: Readonly<Record<string, [string, number]>> = {}): number[] {
	const requests = sent.map(({ at, cold = false, commit, model = "m" }, index) => ({
		prepared: { request: index + 1, at, cold, model, ...(commit && { commit }) },
	}));
	const decisions = Object.entries(commits).map(([id, [trigger, after]]) => ({
		event: { type: "commit/applied", data: { id, trigger } },
		after,
	}));
	const history = { requests, decisions } as unknown as History;
	const isExpired = expiredIn(history);
	return requests.flatMap((request) =>
		isExpired(request as unknown as PastRequest) ? request.prepared.request : [],
	);
}

test("a cache has expired where its time was over, and not where there was none", () => {
	expect(
		expired([
			{ at: 0, cold: true },
			{ at: 1, cold: false },
			{ at: 2 + LIFE, cold: true },
		]),
	).toEqual([3]);
});

test("a commit that pays for itself finds no cache of its window, and none that expired", () => {
	const sent = [{ at: 0 }, { at: 1, cold: true, commit: "c1" }];
	expect(expired(sent, { c1: ["economic", 1] })).toEqual([]);
	expect(expired(sent, { c1: ["cold", 1] })).toEqual([2]);
	const late = [{ at: 0 }, { at: 1 + LIFE, cold: true, commit: "c1" }];
	expect(expired(late, { c1: ["economic", 1] })).toEqual([2]);
});

test("who goes back to a window sent long ago finds its cache expired", () => {
	const sent = [
		{ at: 0, commit: "c1" },
		{ at: 1, commit: "c2" },
		{ at: 2, cold: true, commit: "c1" },
	];
	expect(expired(sent, { c1: ["economic", 0], c2: ["economic", 1] })).toEqual([3]);
});

test("another model has its own cache", () => {
	expect(expired([{ at: 0 }, { at: 1, cold: true, model: "n" }])).toEqual([]);
});
