import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { type Clock, PROCESS_CLOCK } from "../../src/adapters/pi/patience.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { type Host, type HostOptions, QUICK_SETTINGS } from "./sandbox.ts";

/** A clock by which the model waits for the disk so many ms; with 0 not at all. */
export function waiting(ms: number): Clock {
	const pause: Clock["pause"] = async (asked, signal) => {
		if (asked !== 40) return PROCESS_CLOCK.pause(asked, signal);
		return ms === 0 ? undefined : PROCESS_CLOCK.pause(ms, signal);
	};
	return { ...PROCESS_CLOCK, pause };
}

/** A host whose model has the tools of memory, and which folds nothing. */
export const WITH_MEMORY: HostOptions = {
	engine: (pi) =>
		registerEngine(pi, () => ({ ...QUICK_SETTINGS, policy: "off" }), { clock: waiting(20_000) }),
	tools: ["fetch", "pi_memory_search", "pi_memory_read", "pi_memory_propose", "pi_memory_update"],
};

/** What a tool of memory answered. */
export interface Remembered {
	readonly text: string;
	readonly failed: boolean;
	readonly details: { readonly [field: string]: unknown };
}

/** The model calls a tool of memory, and is done. */
export async function callMemory(
	host: Host,
	tool: "search" | "read" | "propose" | "update",
	args: Parameters<typeof fauxToolCall>[1],
): Promise<Remembered> {
	const call = () => fauxAssistantMessage(fauxToolCall(`pi_memory_${tool}`, args), { stopReason: "toolUse" });
	await host.play("see to memory", [call, () => fauxAssistantMessage("done")]);
	const entry = host.session.sessionManager
		.getBranch()
		.findLast((one) => one.type === "message" && one.message.role === "toolResult");
	if (entry?.type !== "message" || entry.message.role !== "toolResult")
		throw new Error("nothing was answered");
	const { content, isError, details } = entry.message;
	const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
	return { text, failed: isError, details: details as Remembered["details"] };
}

/** The user types a command; gives what was said to it. */
export async function type(host: Host, command: string): Promise<string> {
	const { length } = host.said;
	await host.session.prompt(command);
	return host.said.slice(length).join("\n");
}

/** The first record's id in a text. */
export function idIn(text: string): string {
	return /mem_\w+/.exec(text)?.[0] ?? "";
}
