import type { ReceiptFacts } from "../commands/commit-made.ts";

/** Most bytes of a receipt, as in pi-fold. */
const RECEIPT_BYTES = 900;

/** Most bytes of a receipt that asks for briefs, as in pi-fold. */
const NOTICE_BYTES = 2_400;

/** Characters of a brief that stand in a notice. */
const ROW_CHARS = 160;

/** Fewer pending folds than this are not worth a notice. */
const LEAST_UNBRIEFED = 3;

/**
 * What a commit tells the model, once, behind the last fold: what it did and what can be done about it. It holds no
 * clock, count of requests or estimate, so that the path alone gives it again. `briefOf` gives a fold's brief as text.
 */
export function receiptText(facts: ReceiptFacts, briefOf: (digest: string) => string): string {
	const { folded, standing, clipped, released, unbriefed } = facts;
	const did = [
		`${folded} ${plural(folded, "stretch", "stretches")} more in the ${standing} ${plural(standing, "text", "texts")} above`,
		...(clipped > 0 ? [`${clipped} ${plural(clipped, "result", "results")} clipped`] : []),
		...(released > 0 ? [`${released} ${plural(released, "read-back", "read-backs")} released`] : []),
	].join(", ");
	const receipt = `[Folded by the runtime: ${did}. pi_fold_context: peek reads originals, pin keeps messages raw. pi_compact_recall finds what was said.]`;
	if (unbriefed.length < LEAST_UNBRIEFED) return receipt.slice(0, RECEIPT_BYTES);
	return notice(receipt, unbriefed, briefOf);
}

function notice(
	receipt: string,
	unbriefed: ReceiptFacts["unbriefed"],
	briefOf: (digest: string) => string,
): string {
	const lines = [
		receipt,
		'[The next commit folds these; pi_fold_context {"action":"brief","id":"…","brief":"…"} has one say in your words what matters:',
	];
	let left = unbriefed.length;
	for (const { fold, brief } of unbriefed) {
		const row = `${fold}: ${unbroken(briefOf(brief).replaceAll(/\s+/g, " "))}`;
		if (bytesOf([...lines, row].join("\n")) > NOTICE_BYTES - 40) break;
		lines.push(row);
		left--;
	}
	return `${lines.join("\n")}${left > 0 ? `\n(${left} more)` : ""}]`;
}

function unbroken(text: string): string {
	const cut = text.slice(0, ROW_CHARS);
	const last = cut.charCodeAt(cut.length - 1);
	return last >= 0xd800 && last < 0xdc00 ? cut.slice(0, -1) : cut;
}

function bytesOf(text: string): number {
	return new TextEncoder().encode(text).length;
}

function plural(count: number, one: string, many: string): string {
	return count === 1 ? one : many;
}
