import { createHash } from "node:crypto";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";

/** When the recorded session begins. */
export const BEGINS_AT = "2026-03-02T09:00:00.000Z";

/** Pauses before user prompts, in ms by the prompt's index; both outlast a five-minute cache. Elsewhere people take a minute or two. */
export type Pauses = ReadonlyMap<number, number>;

/**
 * Lays the entries of a session out on a clock that depends on nothing but their order and size: a request takes 4 to
 * 40 s with its tools, people take 25 to 150 s, two given pauses are longer. Writes the same time into an entry and
 * its message.
 */
export function layOutTimes(entries: readonly SessionEntry[], pauses: Pauses): void {
	let now = Date.parse(BEGINS_AT);
	let prompts = 0;
	for (const [i, entry] of entries.entries()) {
		const jitter = fraction(`tick ${i}`);
		let step = 40 + Math.round(jitter * 200);
		const message = entry.type === "message" ? entry.message : undefined;
		if (message?.role === "user") {
			step = pauses.get(prompts) ?? 25_000 + Math.round(jitter * 125_000);
			if (prompts === 0) step = 12_000;
			prompts++;
		} else if (message?.role === "assistant") {
			step = 3600 + Math.round(jitter * 9000) + Math.min(20_000, JSON.stringify(message.content).length * 5);
			Object.assign(message, { durationMs: step - 300 });
		} else if (message?.role === "toolResult") {
			const slow = /^\s*> [\w-]+@/.test(text(message.content)) ? 1700 : 0;
			step = 60 + slow + Math.round(jitter * 400);
			Object.assign(message, { durationMs: step - 20 });
		}
		now += step;
		entry.timestamp = new Date(now).toISOString();
		if (message !== undefined) message.timestamp = now;
	}
}

/** Gives entries ids that depend on nothing but their order, eight hex digits as the host's, and mends what refers to them. */
export function nameInOrder(entries: readonly SessionEntry[]): void {
	const names = new Map<string, string>();
	for (const [i, { id }] of entries.entries()) names.set(id, hash(`entry ${i}`).slice(0, 8));
	const renamed = (id: string): string => names.get(id) ?? id;
	for (const entry of entries) {
		entry.id = renamed(entry.id);
		if (entry.parentId !== null) entry.parentId = renamed(entry.parentId);
		if ("targetId" in entry) entry.targetId = renamed(entry.targetId);
	}
}

function text(content: readonly { readonly type: string; readonly text?: string }[]): string {
	return content[0]?.text?.slice(0, 80) ?? "";
}

function fraction(seed: string): number {
	return Number.parseInt(hash(seed).slice(0, 8), 16) / 0x1_0000_0000;
}

function hash(seed: string): string {
	return createHash("sha256").update(seed).digest("hex");
}
