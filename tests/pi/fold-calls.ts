import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { Host, Sent } from "./sandbox.ts";

/** What the model was answered, and the request that answer stood in. */
export interface Answer {
	readonly text: string;
	readonly failed: boolean;
	readonly sent: Sent;
}

/** The model calls the fold tool, and is done. */
export async function callFold(host: Host, args: Parameters<typeof fauxToolCall>[1]): Promise<Answer> {
	const call = () => fauxAssistantMessage(fauxToolCall("pi_fold_context", args), { stopReason: "toolUse" });
	const sent = await host.play(`see to the window: ${args.action}`, [
		call,
		() => fauxAssistantMessage("done"),
	]);
	const { content, isError } = JSON.parse(sent.at(-1) ?? "");
	return { text: content[0].text, failed: isError, sent };
}
