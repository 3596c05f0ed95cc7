import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { type Outputs, refusalOf } from "../../../projections/outputs.ts";
import type { ReadBack } from "../../debug/read-back.ts";
import { cutResultIn } from "./output-file.ts";

/** Whole outputs named of a fold at most. */
const NAMED = 10;

/** Says before what was read back which bytes of it are a whole output, or which whole outputs stand behind it. */
export function outputLines({ output, outputs }: Pick<ReadBack, "output" | "outputs">): string[] {
	if (output) {
		const { source, bytes } = output;
		return [
			`the first ${bytes} bytes are all that ${nameOf(source)} gave out; the message that shows a part of it begins at byte ${bytes + 1}`,
		];
	}
	if (outputs.length === 0) return [];
	const named = outputs
		.slice(0, NAMED)
		.map(({ entry, source, bytes }) => `${entry} (${nameOf(source)}, ${bytes} bytes)`);
	const more = outputs.length > NAMED ? ` and ${outputs.length - NAMED} more` : "";
	return [`outputs longer than their results show, each read whole with its id: ${named.join(", ")}${more}`];
}

/** Why the whole output behind an entry is not here, in words; `undefined` where the entry shows all there was. */
export function missingOutput(
	outputs: Outputs,
	entry: SessionEntry,
	isUnderway: boolean,
): string | undefined {
	const refused = refusalOf(outputs, entry.id);
	const cut = cutResultIn(entry);
	if (!refused && !cut) return undefined;
	const name = nameOf(refused?.source ?? cut?.source ?? "");
	if (isUnderway) return `all that ${name} gave out is just being kept: ask again`;
	const size = refused?.bytes === undefined ? "all" : `all ${refused.bytes} bytes`;
	const file = cut ? `; it may still be in ${cut.path}` : "";
	return `${size} that ${name} gave out: only the part above was kept, ${WHY[refused?.why ?? "elsewhere"]}${file}`;
}

const WHY = {
	cap: "because the outputs kept of this session have reached their limit",
	disk: "because the disk was too full",
	unreadable: "because the host's file of it could not be read",
	elsewhere: "because this session's store never had it",
} as const;

function nameOf(source: string): string {
	return source === "!" ? "the user's command" : source;
}
