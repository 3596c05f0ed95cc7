import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";

/** A tool whose answers are pictures of so many bytes. */
export function camera(bytes: number): ExtensionFactory {
	return (pi) => {
		pi.registerTool({
			name: "shoot",
			label: "Shoot",
			description: "Takes a picture",
			parameters: Type.Object({ n: Type.Number() }),
			execute: async (_id, { n }) => {
				const data = Buffer.alloc(bytes, n).toString("base64");
				return { content: [{ type: "image", data, mimeType: "image/png" }], details: {} };
			},
		});
	};
}
