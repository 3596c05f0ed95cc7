import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";

/** A tool whose pages are long, each its own, and the same on every reading. */
export function workbench(pi: ExtensionAPI): void {
	pi.registerTool({
		name: "fetch",
		label: "Fetch",
		description: "Returns a page",
		parameters: Type.Object({ page: Type.String(), chars: Type.Number() }),
		execute: async (_id, { page, chars }) => {
			const lines = Array.from({ length: chars / 30 }, (_, n) => `${page} line ${n}: value_${n % 7}`);
			return { content: [{ type: "text", text: lines.join("\n") }], details: { page } };
		},
	});
}
