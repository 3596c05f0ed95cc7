import fc from "fast-check";
import { expect, test } from "vitest";
import { searchHistory } from "../../src/debug/search-history.ts";
import { windowView } from "../../src/debug/window-view.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkedHistory } from "./walked-history.ts";

test("a hit is visible in the windows that hold its entry whole, and in no other", async () => {
	let hits = 0;
	const property = fc.asyncProperty(walks(35), fc.nat(), async (walk, which) => {
		const { walked, history, content } = await walkedHistory(walk);
		const said = walked.host.entries.flatMap(({ blocks }) =>
			blocks.flatMap((block) => (block.type === "text" && block.text.trim() !== "" ? [block.text] : [])),
		);
		const text = (said[which % Math.max(1, said.length)] ?? "nothing").trim().slice(0, 3);
		const all = await searchHistory(history, content, { text, limit: 1_000 });
		expect(all.looked).toBe(all.entries);
		for (const hit of all.hits) {
			const shown = history.requests.flatMap(({ prepared: { request } }) => {
				const rows = windowView(history, content, request)?.rows ?? [];
				const whole = rows.some(
					({ key, standing }) =>
						key === `entry:${hit.entry}` && standing !== "clipped" && standing !== "edited",
				);
				return whole ? [request] : [];
			});
			const told = hit.visible.flatMap(([from, to]) =>
				Array.from({ length: to - from + 1 }, (_, n) => from + n),
			);
			expect(told).toEqual(shown);
			expect(hit.firstAt).toBe(shown[0]);
			hits++;
		}
		const first = await searchHistory(history, content, { text, limit: 1 });
		const rest = await searchHistory(history, content, { text, limit: 1_000, from: first.looked });
		expect([...first.hits, ...rest.hits]).toEqual(all.hits);
	});
	await fc.assert(property, runs(12));
	expect(hits).toBeGreaterThan(20);
});
