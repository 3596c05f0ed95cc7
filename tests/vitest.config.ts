import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { CHROMIUM, isLookedAt } from "./page/chromium-place.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const tests = globSync("tests/**/*.test.ts", { cwd: root }).sort();
const holding = (text: string) =>
	tests.filter((file) => readFileSync(join(root, file), "utf8").includes(text));
/** Files that put another module in the place of one: whoever imported the true one before would keep it. */
const replacing = holding("vi.mock(");
const unlooked = isLookedAt ? [] : holding('"./browser.ts"');
if (unlooked.length > 0) {
	process.stderr.write(
		`There is no Chromium at ${CHROMIUM}: ${unlooked.length} files that test the page in a browser are left out.\n`,
	);
}

export default defineConfig({
	test: {
		root,
		// no test may touch the user's own folder
		env: { PI_CODING_AGENT_DIR: join(tmpdir(), "palimpsest-tests", "agent") },
		testTimeout: 60_000,
		hookTimeout: 60_000,
		unstubEnvs: true,
		// one core is kept free unless asked for, and half of two would idle
		maxWorkers: "100%",
		reporters: [["default", { summary: false }]],
		// loading the host anew for each of two hundred files took half of the time
		projects: [
			{
				extends: true,
				test: {
					name: "together",
					include: ["tests/**/*.test.ts"],
					exclude: [...replacing, ...unlooked],
					isolate: false,
				},
			},
			{ extends: true, test: { name: "alone", include: replacing } },
		],
	},
});
