import type { History } from "../debug/history.ts";
import { knownIds, namedIn } from "../debug/named.ts";
import { nearest } from "../debug/near-ids.ts";
import { clipped } from "../debug/why-answer.ts";
import { CliError } from "./cli-error.ts";

/** What a user is told who asks for something that is no id, and a text that stood in no window. */
export function unknownTo(history: History, asked: string): CliError {
	const named = namedIn(history, asked);
	if (named?.kind === "decision")
		return new CliError(
			"CLI_NO_SUCH_ID",
			`${named.id} is a decision, and no message: palimpsest why ${named.id} tells what it did`,
		);
	const near = nearest(asked, new Set(knownIds(history)));
	const hint = near.length > 0 ? `; near it ${near.length === 1 ? "is" : "are"} ${near.join(", ")}` : "";
	return new CliError(
		"CLI_NO_SUCH_ID",
		`nothing is called ${clipped(asked)}, and no window that can be read held it as a text${hint}`,
	);
}
