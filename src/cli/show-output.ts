import { outputOf, refusalOf } from "../../projections/outputs.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { answerTo } from "../debug/read-back.ts";
import { outputPart } from "../debug/read-output.ts";
import type { Store } from "../store/store.ts";
import { CliError } from "./cli-error.ts";
import { print, printJson } from "./terminal.ts";

/**
 * Prints the whole output behind a result, named by its entry or by the call it answers, a piece at a time; or what is
 * known of it. Throws `CLI_NO_SUCH_ID` where nothing is called so or shows a part of an output, `CLI_CONTENT_GONE` where
 * the output was not kept.
 */
export async function printOutput(
	states: SessionStates,
	store: Store,
	id: string,
	asJson: boolean | undefined,
): Promise<void> {
	const entry = (nodeOf(states.tree, id) ?? answerTo(states, id))?.id;
	if (entry === undefined)
		throw new CliError("CLI_NO_SUCH_ID", `no entry is called ${id}, and none answers it`);
	const output = outputOf(states.outputs, entry);
	const refused = refusalOf(states.outputs, entry);
	if (refused)
		throw new CliError("CLI_CONTENT_GONE", `the whole output behind ${entry} was not kept: ${refused.why}`);
	if (!output) throw new CliError("CLI_NO_SUCH_ID", `no output is longer than what ${entry} shows of it`);
	if (asJson) {
		await printJson({ id, kind: "output", ...output });
		return;
	}
	const { bytes, piece } = output;
	const whole = outputPart(output, (digest) => {
		const bytes = store.blob(digest);
		if (!bytes)
			throw new CliError("CLI_CONTENT_GONE", `a piece of the output, ${digest}, is no longer stored`);
		return bytes;
	});
	for (let at = 0; at < bytes; at += piece) await print(whole.read(at, Math.min(at + piece, bytes)));
}
