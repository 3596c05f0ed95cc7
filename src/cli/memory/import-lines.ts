import { count, whole } from "../../debug/numbers.ts";
import { shownLine } from "../../debug/screen-text.ts";
import { wrapped } from "../table.ts";
import { outputColumns } from "../terminal.ts";
import type { Refused } from "./brought.ts";
import { cutShort } from "./cut-short.ts";
import { recordMadeBy } from "./new-record.ts";
import type { ImportPlan, Taken } from "./plan-import.ts";

/** What was taken in, from where and to where. */
export interface ImportDone {
	readonly file: string;
	readonly cwd: string;
	/** what the file is, in words */
	readonly what: string;
	readonly dryRun: boolean;
}

/** What came of an import, as the command line tells it. */
export function importLines(plan: ImportPlan, { file, cwd, what, dryRun }: ImportDone): string[] {
	const { taken, known, refused, withoutText } = plan;
	const width = outputColumns();
	const toConfirm = taken.filter(isToConfirm);
	const isProved = ({ imported, proof }: Taken) => imported.origin.actor === "user" && proof === "verified";
	const proved = taken.filter(isProved).length;
	const others = taken.length - proved - toConfirm.length;
	const parts = [
		...(proved > 0 ? [`${count(proved, "event")} proved to be yours`] : []),
		...(toConfirm.length > 0 ? [`${count(toConfirm.length, "event")} to be confirmed`] : []),
		...(others > 0 ? [`${count(others, "event")} by models and rules`] : []),
	];
	const verb = dryRun ? "would be taken in" : "taken in";
	const sum =
		taken.length === 0 ? `nothing ${dryRun ? "would be" : "was"} taken in` : `${verb}: ${parts.join(", ")}`;
	const there = known > 0 ? `; ${whole(known)} ${known === 1 ? "is" : "are"} there already` : "";
	const claims = toConfirm.map((one) => cutShort(`  line ${one.line}: ${claimOf(one)}`, width));
	const trust = "`/memories trust` in Pi shows what is to be confirmed, and vouches for it in one step";
	return [
		`${file}: ${what}`,
		...wrapped(`${cwd}: ${sum}${there}`, width),
		...under("to be confirmed, without effect until then:", claims),
		...under("taken in without their text:", linesOf(withoutText, width)),
		...under("refused:", linesOf(refused, width)),
		...(toConfirm.length > 0 && !dryRun ? wrapped(trust, width) : []),
	];
}

function isToConfirm({ imported, proof }: Taken): boolean {
	return imported.origin.actor === "user" && proof !== "verified";
}

function claimOf({ imported, text }: Taken): string {
	const { type, data } = imported;
	const id = recordMadeBy(imported)?.id ?? (data as { readonly id: string }).id;
	return `${type} ${id}${text === undefined ? "" : `  ${shownLine(text)}`}`;
}

function under(title: string, lines: readonly string[]): string[] {
	return lines.length === 0 ? [] : [title, ...lines];
}

function linesOf(refused: readonly Refused[], width: number): string[] {
	return refused.flatMap(({ line, why }) =>
		wrapped(`line ${line}: ${why}`, width - 2, "  ").map((part) => `  ${part}`),
	);
}
