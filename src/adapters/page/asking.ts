import type { Context, Handler } from "hono";
import type { AtHand, HistorySource } from "./history-source.ts";
import { neededNumberIn } from "./numbers-in.ts";
import { PageError } from "./page-error.ts";

/** A request to the page's server, as questions are read from it. */
export type Asked = Context["req"];

/** Makes an answer, as JSON, of what a question gives. What gives nothing is refused with `PAGE_NOT_FOUND`. */
export function asking(
	source: HistorySource,
): (question: (at: AtHand, asked: Asked) => object | undefined | Promise<object | undefined>) => Handler {
	return (question) => async (context) => {
		const { req } = context;
		const answer = await source.ask((at) => question(at, req));
		if (answer) return context.json(answer);
		throw new PageError("PAGE_NOT_FOUND", `the session has no ${req.path.replace(/^\/api\//, "")}`);
	};
}

/** The number of a request in an address. Throws `PAGE_BAD_REQUEST`. */
export function requestIn(asked: Asked, name = "request"): number {
	return neededNumberIn(name, asked.param(name), { least: 1 });
}

/** The id in an address. */
export function idIn(asked: Asked): string {
	return asked.param("id") ?? "";
}

/** A text among the options of an address. Throws `PAGE_BAD_REQUEST` where it is missing or empty. */
export function textIn(asked: Asked, name: string): string {
	const text = asked.query(name);
	if (text !== undefined && text !== "") return text;
	throw new PageError("PAGE_BAD_REQUEST", `${name} is missing`);
}
