import { basename } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { keyringPath } from "../../engine/memory/keyring.ts";
import { agentDirectory, homeDirectory } from "../../store/identity.ts";
import { mentions } from "./touched-files.ts";

/**
 * Refuses tool calls that name the keyring or the stores, with a reason. It keeps the model from reading or changing
 * them by mistake or because a text told it to; it does not stop a program that runs as the user.
 */
export function registerMemoryGuard(pi: ExtensionAPI): void {
	pi.on("tool_call", ({ input }, { cwd }) => {
		const agent = agentDirectory();
		const keyring = keyringPath(agent);
		const isNamed = mentions(input, agent, cwd) && JSON.stringify(input).includes(basename(keyring));
		if (isNamed || mentions(input, keyring, cwd))
			return refusal("the keys that prove who wrote what is remembered");
		return mentions(input, homeDirectory(), cwd)
			? refusal(
					"Palimpsest's own stores; pi_compact_recall, pi_fold_context and pi_memory_search read from them",
				)
			: undefined;
	});
}

function refusal(what: string) {
	return { block: true, reason: `MEMORY_GUARDED: this call names ${what}. It was not run.` };
}
