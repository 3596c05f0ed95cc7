import { join } from "node:path";
import { expect, test } from "vitest";
import { writeHistory } from "../../bench/workload/long-history.ts";
import type { Timeline } from "../../src/debug/timeline.ts";
import { Browsers, placeIn } from "./browser.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
const browsers = new Browsers();

test("a request that shares its place in the timeline is told by its own figures", async () => {
	const store = join(pages.home, "long");
	await writeHistory(store, "session/long", 12_000);
	const served = await pages.serve(store);
	const { requests } = (await ask(served, "/api/session")).json as { requests: number };
	expect(requests).toBeGreaterThan(2_400);
	const all = (await ask(served, "/api/timeline?most=1200")).json as Timeline;
	const each = (await ask(served, "/api/timeline?most=100000")).json as Timeline;
	expect([all.step > 1, each.step]).toEqual([true, 1]);
	const told = (tokens = 0) => `${(tokens / 1000).toFixed(1).replace(/\.0$/, "")}k`;
	// one whose neighbour, which has the place, would be told otherwise
	const place = all.request.findIndex(
		(there, place) =>
			there + 1 < (all.request[place + 1] ?? 0) && told(each.tokens[there]) !== told(all.tokens[place]),
	);
	const at = (all.request[place] as number) + 1;
	const page = await browsers.look(served, { at: `at=${at}` });
	const playhead = page.getByRole("slider", { name: "Playhead" });
	await expect
		.poll(() => playhead.getAttribute("aria-valuetext"))
		.toContain(`, ${told(each.tokens[at - 1])} of `);
	expect(placeIn(page)).toBe(`#at=${at}`);
});
