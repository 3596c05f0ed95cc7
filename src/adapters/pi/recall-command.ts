import { stderr } from "node:process";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { RecallError } from "../../debug/recall/recall-error.ts";
import { saysNothing, typedRequest } from "../../debug/recall/request.ts";
import { measuredRecall } from "./recall-measured.ts";
import type { RecallContext } from "./recall-tool.ts";
import { say } from "./say.ts";

/** The command by which the user finds again what was said. */
const RECALL_COMMAND = "pi-compact-recall";

const USAGE = `/${RECALL_COMMAND} takes words, "phrases" and filters: file: kind: tool: role: since: until: sourceClass: thinking:true
  scope:all looks at every branch; page: limit: turn pages; list shows the newest, by filters alone
  ids:A,B reads entries; with raw as JSON, of one from offset: on, rawLimit: characters
  action:summary, action:summary_search WORDS: excerpts of the work so far`;

/** What asks how the command is used, typed alone. */
const HELP = /^\s*(?:help|--help|-h|-?\?|ids:|)\s*$/;

/** Puts `/pi-compact-recall` into a host. What it finds is told to the user alone: no message, no turn. */
export function registerRecallCommand(
	pi: ExtensionAPI,
	{ sessionIn, config, measures }: RecallContext,
): void {
	pi.registerCommand(RECALL_COMMAND, {
		description: "Find again what was said: words, phrases, filters; scope:all for all branches",
		handler: async (args, ctx) => {
			const request = typedRequest(args);
			const isEmpty = request.action === "search" && request.raw && saysNothing(request.query);
			if (HELP.test(args) || isEmpty) return say(ctx, USAGE, "info");
			if (request.unheeded.length > 0) say(ctx, request.unheeded.join("\n"), "warning");
			const scope = request.scope === "all" ? "all" : "branch";
			const reach = { scope, leaf: ctx.sessionManager.getLeafId() } as const;
			const isWhole = request.raw && request.ids.length === 1 && !request.slice;
			const limits = { ...config(ctx), ...(isWhole && { recallMaxChars: Number.MAX_SAFE_INTEGER }) };
			try {
				const asked = await sessionIn(ctx);
				show(ctx, (await measuredRecall(measures, "user", asked, request, reach, limits)).text);
			} catch (error) {
				if (!(error instanceof RecallError)) throw error;
				say(ctx, `${error.code}: ${error.message}`, "warning");
			}
		},
	});
}

/** Shows an answer as it is: JSON may be copied from it. */
function show(ctx: ExtensionContext, text: string): void {
	if (ctx.hasUI) ctx.ui.notify(text, "info");
	else stderr.write(`${text}\n`);
}
