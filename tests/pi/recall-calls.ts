import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { Host } from "./sandbox.ts";

/** What recall answered the model. */
export interface Recalled {
	readonly text: string;
	readonly failed: boolean;
	readonly details: { readonly [field: string]: unknown };
	/** ids of the entries in it, in order */
	readonly ids: readonly string[];
}

/** The model asks recall, and is done. */
export async function callRecall(host: Host, args: Parameters<typeof fauxToolCall>[1]): Promise<Recalled> {
	const call = () => fauxAssistantMessage(fauxToolCall("pi_compact_recall", args), { stopReason: "toolUse" });
	await host.play("look it up", [call, () => fauxAssistantMessage("done")]);
	const answer = recalledIn(host).at(-1);
	if (!answer) throw new Error("nothing was answered");
	return answer;
}

/** What tools answered the model on this branch, in order. */
export function recalledIn(host: Host): Recalled[] {
	return host.session.sessionManager.getBranch().flatMap((entry) => {
		if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
		const { content, isError, details } = entry.message;
		const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
		const ids = [...text.matchAll(/^\[entry (\S+)\]/gm)].map(([, id = ""]) => id);
		return { text, failed: isError, details: details as Recalled["details"], ids };
	});
}

/** The user asks recall by its command; gives what was shown. */
export async function typeRecall(host: Host, typed: string): Promise<string> {
	await host.session.prompt(`/pi-compact-recall ${typed}`);
	return host.said.at(-1) ?? "";
}

/** The id of the first message that a text stands in. */
export function idOf(host: Host, text: string): string {
	const { sessionManager } = host.session;
	return (
		sessionManager
			.getEntries()
			.find((entry) => entry.type === "message" && JSON.stringify(entry).includes(text))?.id ?? ""
	);
}
