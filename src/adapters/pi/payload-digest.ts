import { createHash } from "node:crypto";
import { hashText } from "./hash-text.ts";
import type { Digested, Measure } from "./measures.ts";

/** Where providers' payloads have the conversation. */
const CONVERSATIONS = ["messages", "input", "contents"];

/** What a request was made of, to compare the next with: a digest and the size of each part, in order. */
export interface PayloadParts {
	readonly parts: readonly Digested[];
}

type Sent = Pick<Extract<Measure, { what: "request" }>, "payload" | "prefix" | "messages">;

/**
 * Digests of a provider's payload and of what of it is from the start as in the one before: all but the conversation as
 * one part, then its messages, all without the marks by which a cache is asked for. Where nothing came before, or the
 * first part is another, that is nothing. O(payload).
 */
export function digestPayload(
	payload: unknown,
	before: PayloadParts | undefined,
): Sent & { readonly next: PayloadParts } {
	const texts = partsOf(payload).map((part) => JSON.stringify(part, unmarked) ?? "");
	const parts = texts.map((text) => ({ sha256: hashText(text), chars: text.length }));
	const differs = parts.findIndex(({ sha256 }, at) => before?.parts[at]?.sha256 !== sha256);
	const same = differs === -1 ? parts.length : differs;
	const prefix = createHash("sha256");
	for (const { sha256 } of parts.slice(0, same)) prefix.update(sha256);
	const whole = JSON.stringify(payload) ?? "";
	return {
		payload: { sha256: hashText(whole), chars: whole.length },
		prefix: {
			sha256: prefix.digest("hex"),
			chars: parts.slice(0, same).reduce((sum, { chars }) => sum + chars, 0),
			messages: Math.max(0, same - 1),
		},
		messages: parts.length - 1,
		next: { parts },
	};
}

function partsOf(payload: unknown): unknown[] {
	if (typeof payload !== "object" || payload === null) return [payload];
	const fields = payload as { readonly [name: string]: unknown };
	const name = CONVERSATIONS.find((name) => Array.isArray(fields[name]));
	if (name === undefined) return [payload];
	return [{ ...fields, [name]: undefined }, ...(fields[name] as unknown[])];
}

/** Marks of caches move on with every request, and are no part of what is cached. */
function unmarked(key: string, value: unknown): unknown {
	if (key === "cache_control") return undefined;
	return Array.isArray(value) ? value.filter((one) => !isCachePoint(one)) : value;
}

function isCachePoint(value: unknown): boolean {
	return typeof value === "object" && value !== null && "cachePoint" in value;
}
