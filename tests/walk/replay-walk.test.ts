import fc from "fast-check";
import { test } from "vitest";
import { LIMIT_MS, runs } from "./runs.ts";
import { walks } from "./steps.ts";
import { walkThrough } from "./walker.ts";

test(
	"so it is where compactions of the host's are passed over, with every window checked from the events alone",
	async () => {
		const property = fc.asyncProperty(walks(50, { heedsCompactions: false }), async (walk) => {
			await walkThrough(walk);
		});
		await fc.assert(property, runs(205, 7));
	},
	LIMIT_MS,
);
