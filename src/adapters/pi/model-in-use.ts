import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { HostSession } from "./live-entry.ts";
import type { ModelInUse } from "./settings-in-force.ts";

/** The host's name for the interface of models that it routes to others. They have no price and no cache of their own. */
const VIRTUAL_API = "pi-virtual";

/**
 * The model whose prices and window hold: the one chosen, or where that is virtual the one that answered last on the
 * path, for it will mostly answer again. `undefined` where none is chosen, or a virtual one has not answered yet.
 */
export function modelInUse(
	ctx: Pick<ExtensionContext, "model" | "modelRegistry" | "sessionManager">,
): ModelInUse {
	if (ctx.model?.api !== VIRTUAL_API) return ctx.model;
	const answered = lastAnswered(ctx.sessionManager);
	return answered && ctx.modelRegistry.find(answered.provider, answered.model);
}

/** O(entries behind the last reply). */
function lastAnswered(session: HostSession): { provider: string; model: string } | undefined {
	let entry = session.getLeafEntry();
	while (entry) {
		const message = entry.type === "message" ? entry.message : undefined;
		const isReply = message?.role === "assistant" && message.api !== VIRTUAL_API;
		if (isReply && message.stopReason !== "error" && message.stopReason !== "aborted") return message;
		entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
	}
	return undefined;
}
