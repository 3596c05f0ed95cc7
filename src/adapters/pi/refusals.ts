import type { Excess } from "../../commands/commit-tighter.ts";

/** Why a provider refused a request, where a change of the window helps. */
export type Refusal =
	| { readonly of: "size"; readonly excess: Excess }
	/** thinking that is there and should not be, or the other way round */
	| { readonly of: "reasoning"; readonly wants: "keep" | "strip"; readonly why: string };

/** Limits on how much may be asked in a time, which a shorter request may meet as well; the host waits and asks again. */
const PASSING = /rate.?limit|per (minute|day|hour)|\bTPM\b|quota|too many requests|throttl|overloaded/i;

/** Limits on a reply, not on what it answers. */
const OF_REPLIES = /number of output tokens|max(imum)? output/i;

const BYTES: readonly RegExp[] = [
	/^\W*413\b|\b(status|code|error)\W{1,3}413\b/i,
	/request[ _](entity[ _])?too[ _]large/i,
	/\b(payload|body|content)\b.{0,30}\btoo large/i,
	/\b(request|body|payload)\b.{0,40}\b(maximum|allowed|limit)\b.{0,40}\b(size|bytes|[KM]i?B)\b/i,
	/\b(maximum|allowed) (request|body|payload) size/i,
	/\btoo many images\b|\bmany-image requests?\b/i,
];

const TOKENS: readonly RegExp[] = [
	/\b(prompt|input|context|request|messages|conversation)\b.{0,60}\btoo (long|large)\b/i,
	/\bexceed\w*\b.{0,80}\b(context|token|prompt|input)\w*\b.{0,40}\b(window|length|limit|size|maximum)/i,
	/\b(context|token|prompt|input)\w*\b.{0,60}\b(window|length|limit|size|count)\b.{0,60}\bexceed/i,
	/\b(maximum|max) (context|prompt|input) length\b/i,
	/\bcontext[ _]length[ _]exceeded\b|\btoo many (input )?tokens\b/i,
];

/** Thinking that a commit took away has to be there. */
const MISSED: readonly RegExp[] = [
	/expected `?(redacted_)?thinking\b.{0,60}\bbut found/i,
	/must (start|begin) with a thinking block/i,
	/\bthinking\b.{0,120}\b(cannot be modified|must remain as)/i,
	/without its required `?'?"?reasoning\b/i,
	/\bmissing an? `?thought_?signature/i,
];

/** Thinking is there that does not go with what comes before it any more. */
const UNBOUND: readonly RegExp[] = [
	/\b(invalid|bad|wrong|corrupt\w*)\b.{0,40}\bsignature\b.{0,60}\b(thinking|thought|reasoning)/i,
	/\b(thinking|thought|reasoning)\b.{0,60}\bsignature\b.{0,60}\b(invalid|not valid|mismatch|match|verif)/i,
	/\breasoning\b.{0,120}\bwithout its required following/i,
	/\bencrypted content\b.{0,120}\b(could not|cannot|failed|invalid)/i,
];

/** What a provider's words say a request was refused for; `undefined` where no change of the window helps. */
export function refusalIn(words: string): Refusal | undefined {
	const says = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(words));
	if (says(MISSED)) return { of: "reasoning", wants: "keep", why: words };
	if (says(UNBOUND)) return { of: "reasoning", wants: "strip", why: words };
	if (PASSING.test(words) || OF_REPLIES.test(words)) return undefined;
	if (says(BYTES)) return { of: "size", excess: "bytes" };
	return says(TOKENS) ? { of: "size", excess: "tokens" } : undefined;
}
