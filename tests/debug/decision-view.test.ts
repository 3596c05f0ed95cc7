import { expect, test } from "vitest";
import { decisionView } from "../../src/debug/decision-view.ts";
import { BilledSession } from "./billed-session.ts";

/** Works so many rounds, and notes what a commit was quoted at before each request. */
async function worked(session: BilledSession, rounds: number): Promise<(number | null)[]> {
	const quoted: (number | null)[] = [];
	for (let round = 0; round < rounds; round++) {
		await session.says(1_500);
		const quote = session.engine.offer(session.leaf)?.quote;
		quoted.push(quote && quote.freed > 0 ? quote.cost * quote.factor : null);
		await session.asks(3_000);
	}
	return quoted;
}

test("without a decision the curves tell what waiting had cost and what a commit would have cost then", async () => {
	const session = await BilledSession.open({ policy: "economic" });
	const quoted = await worked(session, 8);
	const history = await session.history();
	const view = decisionView(history, { request: 8 });
	expect(view).toMatchObject({ request: 8, kind: "none", policy: "economic", unit: "usd", taken: [] });
	expect(view).not.toHaveProperty("id");
	expect(view?.curve.request).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	let held = 0;
	const holding = history.requests.map(({ prepared }) => {
		held += prepared.holding;
		return held;
	});
	expect(holding.at(-1)).toBeGreaterThan(0);
	expect(view?.curve.holding).toEqual(holding);
	expect(quoted.filter((cost) => cost !== null).length).toBeGreaterThan(3);
	for (const [index, cost] of quoted.entries()) {
		const found = view?.curve.rewrite[index];
		if (cost === null) expect(found).toBeNull();
		else expect(found).toBeCloseTo(cost, 7);
	}
	expect(view?.curve.rewriteRecorded).toEqual(Array(8).fill(false));
	expect(view?.sentence).toMatch(/^Nothing was decided: a commit would have freed .* tokens for about /);
});

test("a commit ends its curve with what it was quoted, and tells what it folded and left raw", async () => {
	const session = await BilledSession.open({ policy: "economic" });
	await worked(session, 6);
	const pinned = await session.decides({ do: "pin", ids: ["e4"] });
	await session.says(100);
	const id = await session.commits();
	await worked(session, 2);
	const history = await session.history();
	const view = decisionView(history, { request: 7 });
	expect(view).toEqual(decisionView(history, { id }));
	expect(view).toMatchObject({
		request: 7,
		id,
		kind: "commit",
		trigger: "user",
		actor: "user",
		bill: { request: 7 },
		held: [{ entry: "e4", why: expect.any(String) }],
	});
	const { curve, quote, taken = [] } = view ?? {};
	expect(curve?.request).toEqual([1, 2, 3, 4, 5, 6, 7]);
	expect(curve?.holding.at(-1)).toBe(quote?.held);
	expect(curve?.rewrite.at(-1)).toBe((quote?.cost ?? 0) * (quote?.factor ?? 0));
	expect(curve?.rewriteRecorded).toEqual([...Array(6).fill(false), true]);
	expect(taken.map(({ fold }) => fold)).toEqual(session.folds());
	for (const { source, text } of taken) expect(text).toBeLessThan(source);
	expect(view?.sentence).toMatch(/^Committed: you asked for it\. It frees .* taken in again for /);
	expect(decisionView(history, { id: pinned })).toMatchObject({
		kind: "pin",
		request: 7,
		quote: { rewritten: expect.any(Number) },
		sentence: expect.stringMatching(/^Messages were pinned\. /),
	});
	// behind the commit waiting begins anew
	expect(decisionView(history, { request: 8 })?.curve.request).toEqual([7, 8]);
});

test("a commit that was only watched for is told as that", async () => {
	const session = await BilledSession.open({ policy: "economic", observe: true, inputBudget: 12_000 });
	await worked(session, 7);
	const observed = await session.engine.observeIfDue({
		at: session.at,
		leaf: session.leaf,
		model: session.valuation.model,
	});
	expect(observed?.data.trigger).toBe("budget");
	await worked(session, 1);
	expect(decisionView(await session.history(), { request: 8 })).toMatchObject({
		kind: "observed",
		trigger: "budget",
		sentence: expect.stringMatching(/^A commit was only watched for: the window was full\. /),
	});
});

test("of a long wait no more than 300 points are told, the last always", async () => {
	const session = await BilledSession.open();
	for (let n = 0; n < 620; n++) await session.asks(20);
	const { curve } = decisionView(await session.history(), { request: 620 }) ?? {};
	expect(curve?.request.length).toBeLessThanOrEqual(300);
	expect(curve?.request.length).toBeGreaterThan(150);
	expect(curve?.request.at(-1)).toBe(620);
});

test("of a request or a decision that is not there nothing is told", async () => {
	const session = await BilledSession.open();
	await worked(session, 1);
	const history = await session.history();
	expect(decisionView(history, { request: 2 })).toBeUndefined();
	expect(decisionView(history, { id: "nobody" })).toBeUndefined();
});
