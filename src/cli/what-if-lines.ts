import { compact, whole } from "../debug/numbers.ts";
import type { WhatIf, WhatIfSide } from "../debug/what-if.ts";
import { tableLines, wrapped } from "./table.ts";

const WIDTH = 100;

/** What `what-if` tells a person, within a hundred columns. */
export function whatIfLines(answer: WhatIf): string[] {
	const { from, recorded, other, notes } = answer;
	return [
		...wrapped(`from request ${whole(from)} on: ${other.label}`, WIDTH),
		"",
		...sums(recorded, other),
		"",
		...placesOf(answer),
		"",
		...notes.flatMap((note) => wrapped(note, WIDTH)),
	];
}

function sums(recorded: WhatIfSide, other: WhatIfSide): string[] {
	const row = (name: string, side: WhatIfSide) => [
		name,
		amount(side.cost, side.unit),
		whole(side.commits),
		compact(side.peak),
		compact(side.mean),
		whole(side.hidden),
		whole(side.unmet),
	];
	const rows = [row("as recorded", recorded), row("otherwise", other)];
	if (recorded.unit === other.unit && recorded.cost > 0) {
		const share = (other.cost / recorded.cost).toFixed(2);
		rows.push(["", `×${share}`]);
	}
	const heads = [
		"",
		recorded.unit === "usd" ? "cost" : "tokens",
		"commits",
		"peak",
		"mean",
		"hidden",
		"unmet",
	];
	return tableLines(heads, rows);
}

/** Windows and costs of both, a place a line, with the requests at which commits were made. */
function placesOf({ request, recorded, other }: WhatIf): string[] {
	const commits = ({ commitAt }: WhatIfSide, index: number) => {
		const [after, last] = [request[index - 1] ?? 0, request[index] ?? 0];
		const here = commitAt.filter((at) => at > after && at <= last);
		return here.length > 3 ? `${here.length} of them` : here.map((at) => `#${at}`).join(" ");
	};
	const rows = request.map((at, index) => [
		whole(at),
		compact(recorded.tokens[index] ?? 0),
		amount(recorded.spent[index] ?? 0, recorded.unit),
		commits(recorded, index),
		compact(other.tokens[index] ?? 0),
		amount(other.spent[index] ?? 0, other.unit),
		commits(other, index),
	]);
	const heads = ["up to", "recorded", "spent", "commits", "otherwise", "spent", "commits"];
	return tableLines(heads, rows);
}

function amount(value: number, unit: "usd" | "token"): string {
	return unit === "token" ? compact(value) : `$${value.toFixed(2)}`;
}
