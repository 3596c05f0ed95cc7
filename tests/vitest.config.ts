import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		root: fileURLToPath(new URL("..", import.meta.url)),
		// no test may touch the user's own folder
		env: { PI_CODING_AGENT_DIR: join(tmpdir(), "palimpsest-tests", "agent") },
		include: ["tests/**/*.test.ts"],
		testTimeout: 60_000,
		hookTimeout: 60_000,
		reporters: [["default", { summary: false }]],
	},
});
