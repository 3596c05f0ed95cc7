import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type ConfigInForce, DEFAULTS_IN_FORCE } from "./compact-config-file.ts";
import { compactStatus, type StatusParts } from "./compact-status.ts";
import { compactStatusText } from "./compact-status-words.ts";
import { say } from "./say.ts";

/** Puts `/pi-compact-status` into a host. What it tells is for the user alone: no message, no turn. */
export function registerCompactStatus(
	pi: ExtensionAPI,
	by: StatusParts & {
		/** what holds where a session runs */
		readonly inForce: (ctx: ExtensionContext) => ConfigInForce | undefined;
	},
): void {
	pi.registerCommand("pi-compact-status", {
		description: "What becomes of compactions, and what the log, recall and the work summary hold",
		handler: async (_args, ctx) => {
			const inForce = by.inForce(ctx) ?? DEFAULTS_IN_FORCE;
			say(ctx, compactStatusText(await compactStatus(ctx, inForce, by)), "info");
		},
	});
}
