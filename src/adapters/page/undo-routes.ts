import { type Context, Hono } from "hono";
import { quoteUndo, type UndoAsked, type UndoQuote } from "../../debug/undo-price.ts";
import { OutsideUndo } from "../../engine/outside-undo.ts";
import { decodeEntry } from "../sessions/recorded-session.ts";
import { type Undone, undoIn, undoQuote } from "../sessions/undo.ts";
import type { AtHand } from "./history-source.ts";
import { PageError } from "./page-error.ts";
import type { PageOf } from "./routes.ts";

/**
 * What taking decisions back costs, told from the copy at hand, so of a running session too; and taking them back in the
 * store itself, where the page may write and the price is repeated as it was told.
 */
export function undoRoutes({ source, write }: PageOf): Hono {
	const routes = new Hono();
	for (const kind of ["undo", "redo"] as const) {
		routes.get(`/${kind}/:decision`, async (context) => {
			const names = [context.req.param("decision"), ...(context.req.queries("with") ?? [])];
			return context.json(await source.ask((at) => quoted(at, askedOf(kind, names))));
		});
		routes.post(`/${kind}`, async (context) => {
			if (!write) throw new PageError("PAGE_READ_ONLY", "the page was started without --write");
			const { names, price } = await bodyOf(context);
			const asked = askedOf(kind, names);
			return context.json(await source.write((directory) => takenBack(directory, asked, price)));
		});
	}
	return routes;
}

async function quoted({ history, store }: AtHand, asked: UndoAsked): Promise<UndoQuote> {
	if (history.stream === "") throw new PageError("PAGE_NOT_FOUND", "there is no session in this store");
	return quoteUndo(await OutsideUndo.open({ store, stream: history.stream, decode: decodeEntry }), asked);
}

async function takenBack(directory: string, asked: UndoAsked, price: number): Promise<Undone> {
	const quote = await undoQuote(directory, asked);
	if (quote.cost !== price) {
		throw new PageError("PAGE_PRICE_CHANGED", `the price is ${quote.cost} ${quote.unit} now`, { quote });
	}
	return undoIn(directory, asked, quote.head);
}

function askedOf(kind: "undo" | "redo", names: readonly string[]): UndoAsked {
	if (kind === "undo") return { kind, decisions: names };
	if (names.length > 1) throw new PageError("PAGE_BAD_REQUEST", "one undo is taken back at a time");
	return { kind, decision: names[0] };
}

/** `{ decision, price, with? }`: what is taken back, and the price as it was quoted. */
async function bodyOf({ req }: Context): Promise<{ names: string[]; price: number }> {
	const body: unknown = await req.json().catch(() => undefined);
	const { decision, price, with: others = [] } = (body ?? {}) as Readonly<Record<string, unknown>>;
	const names = [decision, ...(Array.isArray(others) ? others : [undefined])];
	const isName = (name: unknown): name is string => typeof name === "string" && name !== "";
	if (names.every(isName) && typeof price === "number") return { names, price };
	throw new PageError("PAGE_BAD_REQUEST", "the body is { decision, price }, with others in an array `with`");
}
