import { beforeAll, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import type { Undone } from "../../src/adapters/sessions/undo.ts";
import type { Timeline } from "../../src/debug/timeline.ts";
import type { UndoQuote } from "../../src/debug/undo-price.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { type Answer, ask, Pages } from "./served.ts";

const pages = new Pages();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

function post(page: ServedPage, path: string, body: unknown): Promise<Answer> {
	const headers = { "content-type": "application/json" };
	return ask(page, path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function commits(page: ServedPage): Promise<string[]> {
	const { marks } = (await ask(page, "/api/timeline")).json as Timeline;
	return marks.flatMap(({ kind, id }) => (kind === "commit" && id !== undefined ? [id] : []));
}

async function quoteOf(page: ServedPage, kind: "undo" | "redo", id: string): Promise<UndoQuote> {
	const { status, json } = await ask(page, `/api/${kind}/${encodeURIComponent(id)}`);
	expect(status).toBe(200);
	return json as UndoQuote;
}

async function headOf(page: ServedPage): Promise<UndoQuote["head"]> {
	return ((await ask(page, "/api/session")).json as { head: UndoQuote["head"] }).head;
}

const codeOf = ({ status, json }: Answer) => [status, (json as { error: { code: string } }).error.code];

test("a page without --write tells prices and changes nothing", async () => {
	const page = await pages.serve(pages.copyOf(store));
	const before = await headOf(page);
	const last = (await commits(page)).at(-1) ?? "";
	const { cost, head } = await quoteOf(page, "undo", last);
	expect(head).toEqual(before);
	for (const path of ["/api/undo", "/api/redo"])
		expect(codeOf(await post(page, path, { decision: last, price: cost }))).toEqual([403, "PAGE_READ_ONLY"]);
	expect(await headOf(page)).toEqual(before);
});

test("with --write a decision is taken back once its price is repeated, and that in turn", async () => {
	const page = await pages.serve(pages.copyOf(store), { write: true });
	const last = (await commits(page)).at(-1) ?? "";
	const quote = await quoteOf(page, "undo", last);
	expect(quote.cost).toBeGreaterThan(0);

	const wrong = await post(page, "/api/undo", { decision: last, price: quote.cost + 1e-9 });
	expect(codeOf(wrong)).toEqual([409, "PAGE_PRICE_CHANGED"]);
	expect((wrong.json as { quote: unknown }).quote).toEqual(quote);
	expect(await headOf(page)).toEqual(quote.head);

	const done = (await post(page, "/api/undo", { decision: last, price: quote.cost })).json as Undone;
	expect(done).toMatchObject({ quote, position: quote.head.version });
	expect(await headOf(page)).toEqual(done.head);
	expect((await ask(page, "/api/session")).json).toMatchObject({ live: false, write: true });

	const again = await quoteOf(page, "redo", done.id);
	expect(again).toMatchObject({ kind: "redo", head: done.head });
	const redone = await post(page, "/api/redo", { decision: done.id, price: again.cost });
	expect(await headOf(page)).toEqual((redone.json as Undone).head);
});

test("what later decisions build on is refused with their names, and goes with them", async () => {
	const page = await pages.serve(pages.copyOf(store), { write: true });
	const [earlier = "", ...later] = (await commits(page)).slice(-2);
	const refused = await ask(page, `/api/undo/${earlier}`);
	expect(codeOf(refused)).toEqual([409, "UNDO_HAS_DEPENDENTS"]);
	expect(refused.text).toContain(later[0]);
	const query = later.map((id) => `with=${id}`).join("&");
	const { json } = await ask(page, `/api/undo/${earlier}?${query}`);
	const { with: all, cost } = json as UndoQuote;
	expect([...all].sort()).toEqual([earlier, ...later].sort());
	expect((await post(page, "/api/undo", { decision: earlier, with: later, price: cost })).status).toBe(200);
});

test("a running session is left to itself", async () => {
	const directory = pages.copyOf(store);
	await using live = await openStore({ directory, registry: REGISTRY });
	const page = await pages.serve(directory, { write: true });
	const last = (await commits(page)).at(-1) ?? "";
	const { cost } = await quoteOf(page, "undo", last);
	expect(codeOf(await post(page, "/api/undo", { decision: last, price: cost }))).toEqual([
		409,
		"STORE_LOCKED",
	]);
	expect(live.head("session/rec-1")).toEqual(await headOf(page));
});

test("what names no decision, or no price, is refused", async () => {
	const page = await pages.serve(pages.copyOf(store), { write: true });
	expect(codeOf(await ask(page, "/api/undo/nothing"))).toEqual([404, "DECISION_UNKNOWN"]);
	expect(codeOf(await ask(page, "/api/redo/nothing"))).toEqual([404, "DECISION_UNKNOWN"]);
	expect(codeOf(await post(page, "/api/undo", { decision: "nothing", price: 0 }))).toEqual([
		404,
		"DECISION_UNKNOWN",
	]);
	const last = (await commits(page)).at(-1) ?? "";
	for (const body of [
		null,
		[],
		{},
		{ decision: last },
		{ decision: last, price: "1" },
		{ decision: "", price: 1 },
		{ decision: last, price: 1, with: "x" },
	])
		expect(codeOf(await post(page, "/api/undo", body))).toEqual([400, "PAGE_BAD_REQUEST"]);
	expect(codeOf(await ask(page, "/api/undo", { method: "POST", body: "{" }))).toEqual([
		400,
		"PAGE_BAD_REQUEST",
	]);
});
