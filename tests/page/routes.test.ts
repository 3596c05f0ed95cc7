import { beforeAll, describe, expect, test } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import { openInPlace } from "../../src/adapters/sessions/open-for-reading.ts";
import { storedContent } from "../../src/adapters/sessions/stored-content.ts";
import { bisect } from "../../src/debug/bisect.ts";
import { costOf } from "../../src/debug/cost.ts";
import { decisionView } from "../../src/debug/decision-view.ts";
import { foldTree } from "../../src/debug/fold-tree.ts";
import { History, type PastRequest } from "../../src/debug/history.ts";
import { logPage } from "../../src/debug/log-page.ts";
import { searchHistory } from "../../src/debug/search-history.ts";
import { timelineOf } from "../../src/debug/timeline.ts";
import { visibilityOf, whenText } from "../../src/debug/visibility.ts";
import { whatIf } from "../../src/debug/what-if.ts";
import { whyAnswer } from "../../src/debug/why-answer.ts";
import { windowDiff } from "../../src/debug/window-diff.ts";
import { type ItemText, itemText, type WindowView, windowView } from "../../src/debug/window-view.ts";
import { inside } from "../cli/inside.ts";
import { writeRecording } from "../cli/recording.ts";
import { HOSTILE, writeHostileSession } from "./hostile-session.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

async function answer<T>(page: ServedPage, path: string): Promise<T> {
	const { status, json, headers, text } = await ask(page, path);
	expect([path, status, text.slice(0, 200)]).toEqual([path, 200, expect.anything()]);
	expect(headers["content-type"]).toMatch(/^application\/json/);
	return json as T;
}

test("each question is answered with what src/debug answers", async () => {
	const { store: read, close } = await openInPlace(pages.copyOf(store));
	const history = await History.read(read, "session/rec-1");
	const content = storedContent(read);
	const page = await pages.serve(store);
	const same = async (path: string, asked: unknown) => {
		expect(asked).toBeDefined();
		expect(await answer(page, path)).toEqual(JSON.parse(JSON.stringify(asked)));
	};
	const { rows = [] } = windowView(history, content, 50) ?? {};
	const session = {
		requests: 60,
		entries: writeRecording(pages.home).lines.size,
		decisions: history.decisions.length,
		live: false,
	};
	expect(await answer(page, "/api/session")).toMatchObject(session);
	await same("/api/timeline", timelineOf(history));
	await same("/api/timeline?from=10&to=40&most=12", timelineOf(history, { from: 10, to: 40, most: 12 }));
	await same("/api/window/50", windowView(history, content, 50));
	await same("/api/window/50?from=2&limit=3", windowView(history, content, 50, { from: 2, limit: 3 }));
	for (const { id } of [rows[0], rows.at(-1)] as const as { id: string }[]) {
		await same(`/api/item/50/${encodeURIComponent(id)}`, itemText(history, content, 50, id));
		await same(`/api/item/50/${id}?limit=10`, itemText(history, content, 50, id, 10));
	}
	const folds = foldTree(history, content, 50);
	await same("/api/tree/50", folds);
	const group = folds.rows.find(({ children }) => children > 0)?.id ?? "";
	await same(
		`/api/tree/50?parent=${group}&from=1&limit=1`,
		foldTree(history, content, 50, { parent: group, from: 1, limit: 1 }),
	);
	await same("/api/visibility/e2", visibilityOf(history, "e2"));
	await same("/api/when?text=helper7", await whenText(history, content, "helper7"));
	await same(
		"/api/when?text=HELPER7&ignoreCase=true",
		await whenText(history, content, "HELPER7", { ignoreCase: true }),
	);
	await same("/api/search?q=helper7", await searchHistory(history, content, { text: "helper7", limit: 50 }));
	const few = { text: "Helper7", limit: 1, from: 3, ignoreCase: false };
	await same(
		"/api/search?q=Helper7&limit=1&from=3&ignoreCase=false",
		await searchHistory(history, content, few),
	);
	await same("/api/memory/50", []);
	await same("/api/log?around=40&limit=5", await logPage(history, read, { around: 40, limit: 5 }));
	const types = ["commit", "request/prepared"];
	const listed = await logPage(history, read, { types, from: 3, limit: 100 });
	await same("/api/log?type=commit&type=request/prepared&from=3", listed);
	await same("/api/log?type=commit,request/prepared&from=3", listed);
	await same("/api/log?entry=e9&type=", await logPage(history, read, { entry: "e9", limit: 100 }));
	const ruled = await logPage(history, read, { actor: "rule", types: ["fold"], from: 0, limit: 7 });
	expect(ruled.total).toBeGreaterThan(0);
	await same("/api/log?actor=rule&type=fold&from=0&limit=7", ruled);
	await same("/api/event/9", read.event("session/rec-1", 9));
	const past = history.request(50) as PastRequest;
	const { id: commit = "" } = history.decisions[0]?.event.data ?? {};
	for (const id of ["e9", commit, "helper7"]) {
		await same(`/api/why/50/${id}`, await whyAnswer(history, content, id, past));
		if (id !== commit) await same(`/api/bisect?what=${id}`, await bisect(history, content, id));
	}
	await same(
		"/api/why/50/HELPER7?ignoreCase=true",
		await whyAnswer(history, content, "HELPER7", past, { ignoreCase: true }),
	);
	await same("/api/diff/40/50", windowDiff(history, content, 40, 50));
	const settings = { policy: "calm", minTarget: 0.1, floorTokens: 9_000 } as const;
	await same(
		"/api/what-if?from=20&policy=calm&floor=9000&minTarget=0.1&most=10",
		await whatIf(history, read, content, { from: 20, settings, most: 10 }),
	);
	await same("/api/decision/50", decisionView(history, { request: 50 }));
	const { commits = [], totals } = costOf(history, content, {});
	await same(`/api/decision?id=${commits[0]?.id}`, decisionView(history, { id: commits[0]?.id ?? "" }));
	expect(await answer(page, "/api/cost?rows=none")).toMatchObject(
		JSON.parse(JSON.stringify({ totals, commits, rows: [] })),
	);
	await close();
});

test("what is not there is said not to be, and what is no number not to be one", async () => {
	const page = await pages.serve(store);
	for (const path of [
		"window/61",
		"window/1000000",
		"item/1/nobody",
		"item/99/e1",
		"item/1/%00",
		"item/1/..%2f..",
		"event/100000",
	])
		expect([path, await ask(page, `/api/${path}`)]).toMatchObject([
			path,
			{ status: 404, json: { error: { code: "PAGE_NOT_FOUND" } } },
		]);
	for (const path of [
		"window/0",
		"window/-1",
		"window/1.5",
		"window/1e1",
		"window/x",
		"window/NaN",
		"item/x/e1",
		"timeline?most=x",
		"log?limit=1001",
		"log?around=x",
		"tree/0",
		"event/x",
		"tree/1?from=x",
		"search",
		"search?q=x&limit=x",
		"memory/x",
		"when",
		"what-if?from=0",
		"what-if?policy=wishful",
		"what-if?floor=-1",
		"what-if?budget=9999",
		"what-if?consolidateAfter=1",
		"what-if?minTarget=1",
		"what-if?minTarget=0.9",
		"what-if?toolFoldThreshold=x",
		"what-if?model=no-such-model",
		"why/0/e1",
		"diff/1/x",
		"diff/0/1",
		"bisect",
		"when?text=",
		"decision",
		"decision/x",
		"cost?from=0",
		"timeline?from=-1",
		"window/1?limit=all",
		"item/1/e1?limit=99999999999",
	])
		expect([path, await ask(page, `/api/${path}`)]).toMatchObject([
			path,
			{ status: 400, json: { error: { code: "PAGE_BAD_REQUEST" } } },
		]);
});

describe("what a session says, whatever that is", () => {
	let hostile: string;
	beforeAll(async () => {
		const { text } = await inside(pages.home, "replay", writeHostileSession(pages.home), "--json");
		hostile = (JSON.parse(text) as { store: string }).store;
	});

	test("comes as text in JSON, whole, and never as a page", async () => {
		const page = await pages.serve(hostile);
		const { requests } = await answer<{ requests: number }>(page, "/api/session");
		expect(requests).toBe(HOSTILE.length);
		const { rows } = await answer<WindowView>(page, `/api/window/${requests}`);
		for (const [index, said] of HOSTILE.entries()) {
			const id = `e${3 * index + 1}`;
			const { inView, original } = await answer<ItemText>(page, `/api/item/${requests}/${id}`);
			expect(inView).toBe(said);
			expect(JSON.parse(original ?? "").message.content[0].text).toBe(said);
			const row = rows.find((one) => one.id === id);
			expect(row?.title.length).toBeLessThanOrEqual(160);
			// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may come through
			expect(row?.title).not.toMatch(/[\u0000-\u001f\u202e]/);
		}
	});
});
