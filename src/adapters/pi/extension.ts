import { stderr } from "node:process";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/**
 * The packaged extension. The host exits where loading one throws, so everything is imported here and not above: what
 * cannot be loaded (a native addon for this machine, say) is said once, and the host goes on without it. So it does
 * where it is too old.
 */
export default async function palimpsest(pi: ExtensionAPI): Promise<void> {
	try {
		const [{ tooOld }, { isFresh, say }] = await Promise.all([
			import("./host-version.ts"),
			import("./say.ts"),
		]);
		const refusal = await tooOld(pi);
		if (refusal !== undefined) {
			pi.on("session_start", (event, ctx) => {
				if (isFresh(event)) say(ctx, refusal, "warning");
			});
			return;
		}
		const { registerPalimpsest } = await import("./register.ts");
		registerPalimpsest(pi);
	} catch (error) {
		stderr.write(`Palimpsest: not loaded: ${error instanceof Error ? error.message : String(error)}\n`);
	}
}
