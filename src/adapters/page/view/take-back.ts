import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { UndoQuote } from "../../../debug/undo-price.ts";
import type { Undone } from "../../sessions/undo.ts";
import { ApiError, askAnew, send } from "./api.ts";
import { Block } from "./block.ts";
import { Copy } from "./copy.ts";
import { count, counted, money } from "./numbers.ts";
import { Refusal } from "./refusal.ts";

interface TakeBackProps {
	readonly decision: string;
	/** whether it is an undo itself, so that taking it back is a redo */
	readonly isUndo: boolean;
}

/** What is to be taken back. */
interface Asked {
	readonly kind: "undo" | "redo";
	readonly decision: string;
	/** later decisions that go with it */
	readonly others: readonly string[];
}

type Stage =
	| { readonly at: "rest"; readonly error?: ApiError }
	| { readonly at: "busy" }
	| { readonly at: "priced"; readonly quote: UndoQuote; readonly error?: ApiError }
	| { readonly at: "done"; readonly undone: Undone };

/** Takes a decision back: tells the price, has it repeated, does it, and shows where the log stands before and after. */
export function TakeBack({ decision, isUndo }: TakeBackProps): ComponentChildren {
	const first: Asked = { kind: isUndo ? "redo" : "undo", decision, others: [] };
	const [asked, setAsked] = useState(first);
	const [stage, setStage] = useState<Stage>({ at: "rest" });
	const price = async (next: Asked) => {
		setAsked(next);
		setStage({ at: "busy" });
		try {
			setStage({ at: "priced", quote: await askAnew<UndoQuote>(addressOf(next)) });
		} catch (error) {
			setStage({ at: "rest", error: asApiError(error) });
		}
	};
	const take = async (quote: UndoQuote) => {
		setStage({ at: "busy" });
		const { kind, others } = asked;
		const body = { decision: asked.decision, price: quote.cost, ...(others.length > 0 && { with: others }) };
		try {
			setStage({ at: "done", undone: await send<Undone>(`/api/${kind}`, body) });
		} catch (error) {
			const refused = asApiError(error);
			const fresh = (refused.more as { quote?: UndoQuote }).quote;
			setStage({ at: "priced", quote: fresh ?? quote, error: refused });
		}
	};
	const verb = asked.kind === "redo" ? "Put back" : "Take back";
	return h(
		Block,
		{ title: asked.kind === "redo" ? "Put it back" : "Take it back" },
		stage.at === "rest" && [
			stage.error && h(Refusal, { error: stage.error, onTogether: (others) => price({ ...asked, others }) }),
			h("button", { type: "button", class: "plain", onClick: () => price(asked) }, `${verb}…`),
		],
		stage.at === "busy" && h("p", { class: "quiet", role: "status" }, "One moment …"),
		stage.at === "priced" &&
			h(Priced, {
				quote: stage.quote,
				error: stage.error,
				verb,
				onCancel: () => setStage({ at: "rest" }),
				onTake: () => take(stage.quote),
			}),
		stage.at === "done" &&
			h(Done, {
				undone: stage.undone,
				onReverse: () =>
					price(
						asked.kind === "undo"
							? { kind: "redo", decision: stage.undone.id, others: [] }
							: { kind: "undo", decision: stage.undone.id, others: [] },
					),
			}),
	);
}

interface PricedProps {
	readonly quote: UndoQuote;
	readonly error: ApiError | undefined;
	readonly verb: string;
	readonly onCancel: () => void;
	readonly onTake: () => void;
}

function Priced({ quote, error, verb, onCancel, onTake }: PricedProps): ComponentChildren {
	const field = useRef<HTMLInputElement>(null);
	const [wrong, setWrong] = useState(false);
	useEffect(() => field.current?.focus(), []);
	const price = money(Math.max(0, quote.cost), quote.unit);
	const submit = (event: Event) => {
		event.preventDefault();
		if (bare(field.current?.value ?? "") === bare(price)) onTake();
		else {
			setWrong(true);
			field.current?.focus();
		}
	};
	return h(
		"form",
		{ class: "take-back", onSubmit: submit },
		error && h(Refusal, { error }),
		h(
			"p",
			null,
			`The window goes from ${count(quote.before)} to ${count(quote.after)} tokens; the provider takes ${count(quote.rewritten)} in again, for `,
			h("b", null, price),
			".",
		),
		quote.with.length > 1 &&
			h(
				"p",
				null,
				`${counted(quote.with.length, "decision")} together: `,
				h("span", { class: "mono" }, quote.with.join(", ")),
			),
		h(
			"label",
			{ for: "price" },
			"Repeat the price to go on:",
			h("input", {
				id: "price",
				ref: field,
				class: "number",
				autocomplete: "off",
				spellcheck: false,
				size: 10,
				"aria-invalid": wrong,
				"aria-describedby": wrong ? "price-wrong" : undefined,
				onInput: () => setWrong(false),
			}),
		),
		wrong &&
			h(
				"p",
				{ id: "price-wrong", role: "alert", class: "wrong" },
				`That is not the price: it is ${price}. Nothing was done.`,
			),
		h(
			"div",
			{ class: "buttons" },
			h("button", { type: "submit", class: "plain strong" }, verb),
			h("button", { type: "button", class: "plain", onClick: onCancel }, "Leave it"),
		),
	);
}

function Done({ undone, onReverse }: { undone: Undone; onReverse: () => void }): ComponentChildren {
	const { quote, head, waits, id } = undone;
	const line = (name: string, { version, hash }: Undone["head"]) => [
		h("dt", null, name),
		h("dd", null, `version ${count(version)} `, h(Copy, { text: hash, label: hash.slice(0, 12) })),
	];
	return h(
		"div",
		{ class: "take-back", role: "status" },
		h(
			"p",
			null,
			`${quote.kind === "undo" ? "Taken" : "Put"} back by `,
			h("span", { class: "mono" }, id),
			".",
		),
		h("dl", { class: "inputs" }, line("Head before", quote.head), line("Head after", head)),
		waits &&
			h(
				"p",
				{ class: "quiet" },
				"It takes effect when the session is opened in Pi next, unless it goes on without it first.",
			),
		h(
			"div",
			{ class: "buttons" },
			h(
				"button",
				{ type: "button", class: "plain", onClick: onReverse },
				quote.kind === "undo" ? "Put it back…" : "Take it back…",
			),
		),
	);
}

function addressOf({ kind, decision, others }: Asked): string {
	const query = others.map((other) => `with=${encodeURIComponent(other)}`).join("&");
	return `/api/${kind}/${encodeURIComponent(decision)}${query && `?${query}`}`;
}

/** A price without what does not tell it from another. */
function bare(price: string): string {
	return price.replace(/[\s$,]|tok(ens)?$/gi, "").toLowerCase();
}

function asApiError(error: unknown): ApiError {
	return error instanceof ApiError ? error : new ApiError(0, "PAGE_ANSWER_UNCLEAR", String(error));
}
