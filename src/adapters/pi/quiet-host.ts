import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { say, wordsOf } from "./say.ts";

/**
 * The host's API, with hooks and commands that never throw. What goes wrong in a hook is told once, in words, and the
 * host goes on as if there were none; what goes wrong in a command is what is said to it.
 */
export function quietHost(pi: ExtensionAPI): ExtensionAPI {
	const told = new Set<string>();
	const tell = (error: unknown, ctx: ExtensionContext): undefined => {
		const words = wordsOf(error);
		if (!told.has(words)) say(ctx, `${words}; the host goes on without it`, "warning");
		told.add(words);
		return undefined;
	};
	const on = (event: string, handler: (event: unknown, ctx: ExtensionContext) => unknown) =>
		pi.on(event as "turn_end", (payload, ctx) => {
			try {
				const result = handler(payload, ctx);
				return result instanceof Promise ? result.catch((error) => tell(error, ctx)) : (result as undefined);
			} catch (error) {
				return tell(error, ctx);
			}
		});
	const registerCommand: ExtensionAPI["registerCommand"] = (name, command) =>
		pi.registerCommand(name, {
			...command,
			handler: (args, ctx) =>
				command.handler(args, ctx).catch((error) => say(ctx, wordsOf(error), "warning")),
		});
	return { ...pi, on: on as ExtensionAPI["on"], registerCommand };
}
