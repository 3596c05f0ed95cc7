import type { CommitBill, Cost, CostRow } from "../debug/cost.ts";
import { compact, count, whole } from "../debug/numbers.ts";
import { oneLine } from "./plain-text.ts";
import { tableLines, wrapped } from "./table.ts";

/** What `cost` tells a person, within a hundred columns. */
export function costLines(cost: Cost, { onlyBreaks }: { readonly onlyBreaks: boolean }): string[] {
	const { rows, breaks, commits } = cost;
	if (rows.length === 0) return ["no request was made"];
	const lines = headLines(cost);
	const shown = onlyBreaks ? rows.filter((row) => row.break) : rows;
	const parts = [
		shown.length > 0 ? requestLines(shown) : [],
		onlyBreaks ? breaks.flatMap(breakLines) : [],
		commits.length > 0 ? commitLines(commits) : [],
		breaks.length > 0 ? causeLines(cost) : [],
	];
	return [...lines, ...parts.flatMap((part) => (part.length > 0 ? ["", ...part] : []))];
}

function headLines({ basis, totals, from, to }: Cost): string[] {
	const { requests, measured, fresh, cached, written, output, unpriced, unit } = totals;
	const lines = [
		`${requests === 1 ? `request ${from}` : `requests ${whole(from)} to ${whole(to)}`}: ${amount(totals.cost, unit)}`,
		`tokens    ${compact(fresh)} fresh, ${compact(cached)} cached, ${compact(written)} written, ${compact(output)} output`,
		basis === "billed"
			? `basis     billed: the provider told the price of ${whole(measured)} of ${count(requests, "request")}`
			: "basis     modelled: a replay's windows went to no provider; they are priced as caches are taken to work",
	];
	if (unit === "token") lines.push("unit      no price is known: costs are in input-token equivalents");
	if (unpriced > 0)
		lines.push(
			`unpriced  ${count(unpriced, "request")} to models without prices ${unpriced === 1 ? "is" : "are"} not in the sum`,
		);
	return lines.flatMap((line) => wrapped(line, WIDTH, " ".repeat(10)));
}

const WIDTH = 100;

function requestLines(rows: readonly CostRow[]): string[] {
	const heads = ["request", "model", "fresh", "cached", "written", "output", "cost", "spent", "break"];
	const models = new Set(rows.map(({ model }) => model));
	const cells = rows.map((row) => [
		whole(row.request),
		clip(row.model.slice(row.model.indexOf("/") + 1), 20),
		compact(row.fresh),
		compact(row.cached),
		compact(row.written),
		compact(row.output),
		`${row.measured ? "" : "~"}${amount(row.cost, row.unit)}`,
		amount(row.spent, row.unit),
		row.break?.cause ?? "",
	]);
	if (models.size > 1) return tableLines(heads, cells);
	const without = (line: readonly string[]) => line.filter((_, index) => index !== 1);
	return tableLines(without(heads), cells.map(without));
}

function breakLines({ request, cause, item, byte, lost, detail }: NonNullable<CostRow["break"]>): string[] {
	const place = [
		...(item === undefined ? [] : [`item ${whole(item)}`]),
		...(byte === undefined ? [] : [`byte ${whole(byte)}`]),
	].join(", ");
	const text = `#${request} ${cause}${place && ` at ${place}`}: ${compact(lost)} tokens taken in again; ${oneLine(detail)}`;
	return wrapped(text, WIDTH, "    ");
}

function commitLines(commits: readonly CommitBill[]): string[] {
	const rows = commits.map(({ id, request, trigger, quote, bill, savedSince }) => [
		clip(id, 24),
		whole(request),
		trigger,
		compact(quote.freed),
		compact(quote.rewritten),
		bill ? compact(bill.rewritten) : "-",
		amount(quote.cost, quote.unit),
		bill ? amount(bill.cost, quote.unit) : "-",
		amount(savedSince, quote.unit),
	]);
	const heads = ["commit", "request", "trigger", "frees", "rewrites", "did", "quote", "bill", "saved since"];
	return tableLines(heads, rows);
}

function causeLines({ totals: { byCause, breaks, lost, lostCost, unit } }: Cost): string[] {
	const rows = Object.entries(byCause)
		.sort(([, a], [, b]) => b.cost - a.cost)
		.map(([cause, { breaks, lost, cost }]) => [cause, whole(breaks), compact(lost), amount(cost, unit)]);
	const all = ["all", whole(breaks), compact(lost), amount(lostCost, unit)];
	return tableLines(["cache broken by", "breaks", "tokens lost", "cost"], [...rows, all]);
}

/** An amount in a column: dollars to a tenth of a cent, or tokens. */
function amount(value: number, unit: "usd" | "token"): string {
	if (unit === "token") return value < 0 ? `-${compact(-value)}` : compact(value);
	return `${value < 0 ? "-" : ""}$${Math.abs(value).toFixed(3)}`;
}

function clip(text: string, most: number): string {
	const line = oneLine(text);
	return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
