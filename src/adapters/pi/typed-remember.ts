import type { MemoryKind, MemoryPriority, MemoryScope } from "../../../events/memory.ts";
import { isRecordId } from "../../../projections/memory/record.ts";
import { among, idsIn, KINDS, misreadIn, type Piece, PRIORITIES, piecesOf, SCOPES } from "./memory-words.ts";

/** What stands before or behind the text of `/remember`. */
interface Options {
	readonly kind?: MemoryKind;
	readonly scope?: MemoryScope;
	readonly priority?: MemoryPriority;
	readonly pinned?: boolean;
	readonly files: readonly string[];
	/** the record whose place the text takes */
	readonly supersede?: string;
	readonly confirm: readonly string[];
	readonly unpin: readonly string[];
	/** whether what a new text loses may be lost */
	readonly mayLose: boolean;
}

/** What `/remember` was told. */
export interface TypedRemember extends Options {
	readonly text: string;
	/** words behind the text that were taken as options */
	readonly behind: readonly string[];
	/** words at either end of the text that look like options and have a value these cannot have */
	readonly misread: readonly string[];
	/** whether the word `pin` stood right before the text and asked for a pin: it may have been meant as a part of the text */
	readonly isPinWord: boolean;
}

/**
 * Options, then a text, which is kept as it was typed, newlines and all; of a text that is one quotation what is quoted.
 * Options of a fixed set of values, and the record to supersede, may stand behind the text too. `--` ends the options. What
 * is no option, or has a value it cannot have, begins the text.
 */
export function typedRemember(typed: string): TypedRemember {
	const pieces = piecesOf(typed);
	let options: Options = { files: [], confirm: [], unpin: [], mayLose: false };
	const taken = (piece: Piece | undefined, isBefore: boolean) => {
		const option = piece && optionOf(piece, isBefore);
		if (option) options = withOption(options, option);
		return option !== undefined;
	};
	let first = 0;
	while (taken(pieces[first], true)) first++;
	let beyond = pieces.length;
	const isEnded = pieces[first]?.typed === "--";
	if (isEnded) first++;
	else while (beyond - 1 > first && taken(pieces[beyond - 1], false)) beyond--;
	const behind = pieces.slice(beyond).map((piece) => piece.typed);
	const isPinWord = !isEnded && first < pieces.length && pieces[first - 1]?.typed === "pin";
	const told = isEnded ? [] : pieces.slice(first, beyond);
	const misread = [...leading(told), ...leading(told.toReversed())];
	const text = textOf(typed, pieces.slice(first, beyond));
	return { ...options, text, behind, misread: [...new Set(misread)], isPinWord };
}

/** Options that are none, one behind the other. */
function leading(pieces: readonly Piece[]): string[] {
	const end = pieces.findIndex((piece) => misreadIn([piece], ["kind", "scope", "priority"]).length === 0);
	return pieces.slice(0, end === -1 ? undefined : end).map(({ typed }) => typed);
}

function textOf(typed: string, pieces: readonly Piece[]): string {
	const [first] = pieces;
	const last = pieces.at(-1);
	if (!first || !last) return "";
	const isQuotation = first === last && first.isQuoted && first.key === undefined;
	return isQuotation ? first.value : typed.slice(first.at, last.end);
}

function withOption(options: Options, { files = [], confirm = [], unpin = [], ...option }: Partial<Options>) {
	return {
		...options,
		...option,
		files: [...options.files, ...files],
		confirm: [...options.confirm, ...confirm],
		unpin: [...options.unpin, ...unpin],
	};
}

/** What a piece asks for, if it is an option: before the text any, behind it those that could hardly be meant as words. */
function optionOf({ key, value, typed }: Piece, isBefore: boolean): Partial<Options> | undefined {
	if (key === undefined) return isBefore && typed === "pin" ? { pinned: true } : undefined;
	if (value === "") return undefined;
	switch (key) {
		case "kind":
			return named("kind", among(KINDS, value));
		case "scope":
			return named("scope", among(SCOPES, value));
		case "priority":
			return named("priority", among(PRIORITIES, value));
		case "pin":
			if (/^(?:true|1)$/.test(value)) return { pinned: true };
			return /^(?:false|0)$/.test(value) ? { pinned: false } : undefined;
		case "losing":
			return value === "ok" ? { mayLose: true } : undefined;
		case "supersede":
			return isBefore || isRecordId(value) ? { supersede: value } : undefined;
		case "id":
		case "recordid":
			return isRecordId(value) ? { supersede: value } : undefined;
		case "file":
			return isBefore ? { files: [value] } : undefined;
		case "confirm":
		case "unpin":
			return isBefore ? { [key]: idsIn(value) } : undefined;
		default:
			return undefined;
	}
}

function named<K extends "kind" | "scope" | "priority">(
	name: K,
	value: Options[K] | undefined,
): Partial<Options> | undefined {
	return value === undefined ? undefined : { [name]: value };
}
