import { expect, test, vi } from "vitest";
import type { Item } from "../../projections/window-plan.ts";
import { windowMessages } from "../../src/adapters/sessions/window-messages.ts";
import { type BreakCause, type Cost, costOf, paidFor } from "../../src/debug/cost.ts";
import { BilledSession, PRICED } from "./billed-session.ts";

const MINUTE = 60_000;

async function costIn(session: BilledSession): Promise<Cost> {
	const { content } = session;
	const messages = (items: readonly Item[]) => windowMessages(items, content);
	return costOf(await session.history(), content, { messages });
}

/** Works, lets something happen, and asks once more. */
async function brokenBy(
	happens: (session: BilledSession) => Promise<unknown>,
	forgets = false,
	before: (session: BilledSession) => Promise<unknown> = async () => {},
): Promise<Cost> {
	const session = await BilledSession.open();
	await session.works(6);
	await before(session);
	await session.asks();
	await happens(session);
	await session.says(300);
	await session.asks(300, { forgets });
	return costIn(session);
}

function last(cost: Cost) {
	return cost.rows.at(-1)?.break;
}

test("a request that only went on is no break, and costs what its tokens cost", async () => {
	const session = await BilledSession.open();
	await session.works(5);
	const { rows, breaks, totals, basis } = await costIn(session);
	expect(breaks).toEqual([]);
	expect(basis).toBe("billed");
	expect(rows.map(({ measured }) => measured)).toEqual([true, true, true, true, true]);
	const row = rows[2];
	const [fresh, cached] = [row?.fresh ?? 0, row?.cached ?? 0];
	expect(cached).toBe(3_000);
	expect(row?.cost).toBeCloseTo((fresh * 5 + cached * 0.5 + 100 * 25) / 1e6, 12);
	expect(rows.at(-1)?.spent).toBeCloseTo(totals.cost, 12);
	expect(totals).toMatchObject({
		requests: 5,
		measured: 5,
		output: 500,
		unit: "usd",
		unpriced: 0,
		breaks: 0,
	});
});

test("what caches would have served is worked out once, however many requests are asked about", async () => {
	const session = await BilledSession.open();
	await session.works(5, 300, { silent: true });
	const history = await session.history();
	const [first, ...others] = history.requests;
	expect(first && paidFor(first, history)).toMatchObject({ measured: false });
	const looked = vi.spyOn(history, "requests", "get");
	expect(others.map((request) => paidFor(request, history)?.measured)).toEqual([false, false, false, false]);
	expect(looked).not.toHaveBeenCalled();
});

const commits = (session: BilledSession) => session.commits();

const CASES: readonly {
	readonly cause: BreakCause;
	readonly happens: (session: BilledSession) => Promise<unknown>;
	readonly before?: (session: BilledSession) => Promise<unknown>;
	readonly forgets?: boolean;
	readonly item: number;
	readonly words: RegExp;
}[] = [
	{ cause: "commit", happens: commits, item: 0, words: /^commit .* \(user\) folded up to cut \d+$/ },
	{
		cause: "undo",
		before: commits,
		happens: async (session) => {
			const { states } = session.engine;
			await session.decides({ do: "undo", ids: [...states.plans.commits.keys()] });
		},
		item: 0,
		words: /was taken back$/,
	},
	{
		cause: "expand",
		before: commits,
		happens: (session) => session.decides({ do: "expand", fold: session.folds()[1] ?? "" }),
		item: 1,
		words: /^fold .* was opened$/,
	},
	{
		cause: "refold",
		before: async (session) => {
			await session.commits();
			await session.decides({ do: "expand", fold: session.folds()[1] ?? "" });
		},
		happens: async (session) => {
			const { states } = session.engine;
			const open = [...states.plans.after.values()].at(-1)?.expanded.keys().next().value ?? "";
			await session.decides({ do: "refold", fold: open });
		},
		item: 1,
		words: /^fold .* was closed$/,
	},
	{
		cause: "pin",
		before: commits,
		happens: (session) => session.decides({ do: "pin", ids: ["e4"] }),
		item: 2,
		words: /pinned$/,
	},
	{
		cause: "edit",
		happens: (session) =>
			session.add({ kind: "contextEdit", target: "e3", blocks: [{ type: "text", text: "less" }] }),
		item: 2,
		words: /^the host edited an entry$/,
	},
	{
		cause: "compaction",
		happens: (session) =>
			session.add({
				kind: "compaction",
				role: "summary",
				firstKept: "e9",
				blocks: [{ type: "text", text: "so far" }],
			}),
		item: 0,
		words: /^the host compacted$/,
	},
	{
		cause: "leaf",
		happens: async (session) => {
			const there = session.leaf;
			session.leaf = "e6";
			await session.works(1);
			session.leaf = there;
		},
		item: 6,
		words: /went on from another entry$/,
	},
	{
		cause: "prompt",
		happens: (session) =>
			session.add({ kind: "message", role: "system", blocks: [{ type: "text", text: "be brief" }] }),
		forgets: true,
		item: 0,
		words: /^the system prompt or the tools changed$/,
	},
	{
		cause: "thinking",
		happens: (session) => session.add({ kind: "thinkingLevel" }),
		forgets: true,
		item: 0,
		words: /^the thinking level changed$/,
	},
	{
		cause: "model",
		happens: async (session) => {
			session.valuation = { ...PRICED, model: "test/two" };
		},
		forgets: true,
		item: 0,
		words: /^the model changed from test\/one to test\/two$/,
	},
	{
		cause: "idle",
		happens: async (session) => {
			session.at += 20 * MINUTE;
		},
		forgets: true,
		item: 0,
		words: /^20 min passed, and its cache lives 5 min$/,
	},
	{ cause: "provider", happens: async () => {}, forgets: true, item: 0, words: /^nothing had changed/ },
];

test.for(CASES)(
	"a cache broken by $cause is told as such",
	async ({ cause, happens, before, forgets, ...told }) => {
		const cost = await brokenBy(happens, forgets, before);
		const found = last(cost);
		expect(found).toMatchObject({ cause, item: told.item, detail: expect.stringMatching(told.words) });
		const row = cost.rows.at(-1);
		expect(found?.lost).toBeGreaterThan(1_000);
		expect(found?.lost).toBeLessThanOrEqual(row?.fresh ?? 0);
		expect(found?.cost).toBeCloseTo(((found?.lost ?? 0) * 4.5) / 1e6, 10);
		if (told.item > 0) expect(found?.byte).toBeGreaterThan(100);
		expect(cost.totals.byCause[cause]).toMatchObject({ breaks: expect.any(Number) });
	},
);

test("a thinking level, a prompt or a model that changes and breaks nothing is no break", async () => {
	const session = await BilledSession.open();
	await session.works(3);
	await session.add({ kind: "thinkingLevel" });
	await session.add({ kind: "message", role: "system", blocks: [{ type: "text", text: "be brief" }] });
	session.at += 20 * MINUTE;
	await session.works(1);
	expect((await costIn(session)).breaks).toEqual([]);
});

test("of two causes the earlier in the window is named, and the other told beside it", async () => {
	const both = async (session: BilledSession) => {
		await session.commits();
		session.at += 20 * MINUTE;
	};
	expect(last(await brokenBy(both, true))).toMatchObject({
		cause: "idle",
		byte: 0,
		detail: expect.stringMatching(/^20 min passed.*; also commit /),
	});
	const edit = { kind: "contextEdit", target: "e3", blocks: [{ type: "text", text: "less" }] } as const;
	// the cache outlived its time: what was served tells that the edit alone broke it
	const idleAndEdit = async (session: BilledSession) => {
		await session.add(edit);
		session.at += 20 * MINUTE;
	};
	expect(last(await brokenBy(idleAndEdit))).toMatchObject({ cause: "edit", item: 2 });
});

test("nothing is said of a request behind one that was not billed", async () => {
	const session = await BilledSession.open();
	await session.works(3);
	await session.asks(300, { silent: true });
	await session.says(300);
	await session.asks(300, { forgets: true });
	const { rows, breaks } = await costIn(session);
	expect(breaks).toEqual([]);
	expect(rows.map(({ measured }) => measured)).toEqual([true, true, true, false, true]);
});

test("a provider that never speaks of a cache has broken none", async () => {
	const session = await BilledSession.open();
	for (let n = 0; n < 4; n++) {
		await session.says(2_000);
		await session.asks(300, { forgets: true });
	}
	expect((await costIn(session)).breaks).toEqual([]);
});

test("the byte of a break is where the windows before and behind it part", async () => {
	const session = await BilledSession.open();
	await session.works(6);
	const { states } = session.engine;
	expect(states.ledger.requests).toBe(6);
	await session.add({ kind: "contextEdit", target: "e3", blocks: [{ type: "text", text: "less" }] });
	await session.asks();
	const found = last(await costIn(session));
	const [one, two] = ["e1", "e2"].map((id) => session.engine.entry(id)?.bytes.length ?? 0);
	// two messages, each without the entry around it, and a line end behind each
	const around = '{"id":"e1","message":}'.length;
	expect(found?.byte).toBeGreaterThanOrEqual((one ?? 0) + (two ?? 0) - 2 * around + 2);
	expect(found?.byte).toBeLessThan((one ?? 0) + (two ?? 0) + 60);
});

test("a commit's bill is set beside its quote, and what it saves is counted while it is in force", async () => {
	const session = await BilledSession.open();
	await session.works(8);
	const id = await session.commits();
	await session.works(1);
	const after = await costIn(session);
	const [bill] = after.commits;
	expect(bill).toMatchObject({ id, request: 9, trigger: "user", savedSince: 0 });
	expect(bill?.bill).toMatchObject({ request: 9, rewritten: after.rows.at(-1)?.fresh });
	expect(bill?.bill?.cost).toBeCloseTo(((after.rows.at(-1)?.fresh ?? 0) * 4.5) / 1e6, 10);
	await session.works(2);
	const [later] = (await costIn(session)).commits;
	expect(later?.savedSince).toBeCloseTo((2 * (later?.quote.freed ?? 0) * 0.5) / 1e6, 10);
	await session.decides({ do: "undo", ids: [id] });
	await session.works(2);
	expect((await costIn(session)).commits[0]?.savedSince).toBe(later?.savedSince);
});

test("without prices all is counted in input tokens", async () => {
	const session = await BilledSession.open(
		{},
		{
			...PRICED,
			unit: "token",
			input: 1e6,
			read: 1e5,
			write: 1e6,
			output: 5e6,
		},
	);
	await session.works(2);
	const history = await session.history();
	const [, second] = history.requests;
	const paid = second && paidFor(second);
	expect(paid).toMatchObject({ unit: "token", measured: true });
	expect(paid?.cost).toBeCloseTo((paid?.fresh ?? 0) + 0.1 * (paid?.cached ?? 0) + 500, 6);
});

test("beside prices in dollars, what a model without prices took in again costs nothing", async () => {
	const session = await BilledSession.open();
	await session.works(6);
	session.valuation = { ...PRICED, model: "test/free", unit: "token", input: 1e6, read: 1e5, write: 1e6 };
	await session.asks();
	await session.asks(300, { forgets: true });
	const { totals, breaks } = await costIn(session);
	expect(totals).toMatchObject({ unit: "usd", unpriced: 2 });
	expect(breaks.length).toBeGreaterThan(0);
	expect(totals.lost).toBeGreaterThan(0);
	expect(totals.lostCost).toBe(0);
	for (const { cost } of Object.values(totals.byCause)) expect(cost).toBe(0);
});

test("of a stretch the rows in it are told, and what was spent before it counts on", async () => {
	const session = await BilledSession.open();
	await session.works(5);
	const history = await session.history();
	const { content } = session;
	const all = costOf(history, content);
	const some = costOf(history, content, { from: 2, to: 3 });
	expect(some).toMatchObject({ from: 2, to: 3, rows: all.rows.slice(1, 3), totals: { requests: 2 } });
	expect(costOf(history, content, { from: 9 }).rows).toEqual([]);
});
