import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { say } from "./say.ts";

/**
 * The host's API, with hooks that never throw: what goes wrong in one is told once, in words, and the host goes on as if
 * there were no hook.
 */
export function quietHooks(pi: ExtensionAPI): ExtensionAPI {
	const told = new Set<string>();
	const on = (event: string, handler: (event: unknown, ctx: ExtensionContext) => unknown) =>
		pi.on(event as "turn_end", async (payload, ctx) => {
			try {
				return (await handler(payload, ctx)) as undefined;
			} catch (error) {
				const words = error instanceof Error ? error.message : String(error);
				if (!told.has(words)) say(ctx, `${words}; the host goes on without it`, "warning");
				told.add(words);
				return undefined;
			}
		});
	return { ...pi, on: on as ExtensionAPI["on"] };
}
