import type { ModelRef } from "../../projections/transcript.ts";
import { modelsLike, modelsNamed } from "../adapters/catalogue.ts";
import { CliError } from "./cli-error.ts";

/** Models named at most to who named none. */
const LIKE = 5;

/** The model of the host's catalogue that a user means. Throws `CLI_NO_SUCH_MODEL`, `CLI_USAGE`. */
export async function knownModel(name: string): Promise<ModelRef> {
	const [model, ...others] = await modelsNamed(name);
	if (!model) {
		const like = await modelsLike(name.split("/").at(-1) ?? name, LIKE);
		const hint = like.length > 0 ? `; like it are ${like.join(", ")}` : "";
		throw new CliError("CLI_NO_SUCH_MODEL", `the host's catalogue has no model ${name}${hint}`);
	}
	if (others.length === 0) return model;
	const names = [model, ...others].map((ref) => `${ref.provider}/${ref.model}`);
	throw new CliError("CLI_USAGE", `--model ${name} is one of several: name ${names.join(" or ")}`);
}
