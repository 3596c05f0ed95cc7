import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, Program } from "./program.ts";
import { isFold, shared } from "./shared.ts";

test("pi -e . folds by itself and says so, /fold answers, and the next process goes on with the same window", async () => {
	using pi = new Program();
	const common = ["-e", CHECKOUT, ...pi.answered];
	const prompts = Array.from({ length: 9 }, (_, n) => `question ${n}`);
	const first = await pi.run([...common, "-p", ...prompts, "/fold", "after the fold"]);
	expect(first.stderr).toMatch(/^Palimpsest: folded about [\d,]+ tokens .* now; the provider takes about/m);
	expect(first.stderr).toMatch(
		/^Palimpsest: (folded about [\d,]+ .* next request on; .* shorter|nothing is foldable yet)/m,
	);
	expect(first.stderr).not.toMatch(/error/i);
	expect(first.code).toBe(0);
	const second = await pi.run([...common, "-c", "-p", "after a restart"]);
	expect(second).toMatchObject({ code: 0, stderr: "" });
	const windows = pi.requests();
	expect(windows).toHaveLength(11);
	expect(windows.slice(0, 3).some((window) => window.some(isFold))).toBe(false);
	expect(windows[9]?.some(isFold)).toBe(true);
	expect(shared(windows[9] ?? [], windows[10] ?? [])).toBe(windows[9]?.length);
	expect(readdirSync(join(pi.agent, "palimpsest", "sessions"))).toHaveLength(1);
});
