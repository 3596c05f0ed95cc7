import type { ModelRef } from "../../projections/transcript.ts";
import { modelsNamed } from "../adapters/catalogue.ts";
import { CliError } from "./cli-error.ts";

/** The model of the host's catalogue that a user means. Throws `CLI_NO_SUCH_MODEL`, `CLI_USAGE`. */
export async function knownModel(name: string): Promise<ModelRef> {
	const [model, ...others] = await modelsNamed(name);
	if (!model) throw new CliError("CLI_NO_SUCH_MODEL", `the host's catalogue has no model ${name}`);
	if (others.length === 0) return model;
	const names = [model, ...others].map((ref) => `${ref.provider}/${ref.model}`);
	throw new CliError("CLI_USAGE", `--model ${name} is one of several: name ${names.join(" or ")}`);
}
