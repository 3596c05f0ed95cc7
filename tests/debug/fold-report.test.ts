import { expect, test } from "vitest";
import { foldReport, type ReportDetail } from "../../src/debug/fold-report.ts";
import { PAGE_BYTES } from "../../src/debug/pages.ts";
import { MappedSession } from "./mapped-session.ts";

function report(session: MappedSession, detail?: ReportDetail): object {
	const { states } = session.engine;
	const briefOf = (digest: string) => session.engine.briefText(digest);
	return foldReport({ states, request: session.request, briefOf }, detail, { offset: 0, limit: 1_000 });
}

test("whatever a commit would hold back, a report fits its page and says of how much it tells", async () => {
	const session = await MappedSession.of(250, { keepRaw: ["run"] });
	for (const detail of [undefined, "tree", "folds", "objects", "fold_candidates"] as const) {
		const text = JSON.stringify(report(session, detail));
		expect(new TextEncoder().encode(text).length).toBeLessThan(PAGE_BYTES);
	}
	const { heldBack, heldBackOf } = report(session, "fold_candidates") as {
		heldBack: unknown[];
		heldBackOf: number;
	};
	expect(heldBack).toHaveLength(32);
	expect(heldBackOf).toBeGreaterThan(400);
});

test("only cuts that someone drew are said to be recut", async () => {
	const session = await MappedSession.of(4);
	const [first = "", second = ""] = session
		.map()
		.rows.flatMap((row) => (row.kind === "mark" ? [row.fold.id] : []));
	await session.decide({ do: "brief", fold: first, text: "nothing to see here" });
	await session.decide({ do: "recut", ids: [second, "a3"] });
	expect(report(session, "fold_candidates")).toMatchObject({
		rows: [{ id: first, origin: "automatic" }, { origin: "recut" }, { origin: "recut" }],
	});
});
