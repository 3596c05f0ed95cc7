import { stderr } from "node:process";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/**
 * The packaged extension. The host exits where loading one throws, so everything is imported here and not above: what
 * cannot be loaded (a native addon for this machine, say) is said once, and the host goes on without it.
 */
export default async function palimpsest(pi: ExtensionAPI): Promise<void> {
	try {
		const { registerPalimpsest } = await import("./register.ts");
		registerPalimpsest(pi);
	} catch (error) {
		stderr.write(`Palimpsest: not loaded: ${error instanceof Error ? error.message : String(error)}\n`);
	}
}
