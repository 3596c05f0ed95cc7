import type { NewRecord } from "../../../events/memory.ts";
import { secretIn } from "../../../projections/memory/secret-in.ts";
import { boundedNames } from "../../commands/memory/bounded-names.ts";
import { TEXT_CHARS } from "../../commands/memory/checked-text.ts";
import { whole } from "../../debug/numbers.ts";
import { sha256Node } from "../../store/hash.ts";

/** Longest name of a record, a session or what made a record, characters. */
const NAME_CHARS = 200;

/** Why a record of a file may not come in, but for its text; `undefined` where it may. Ids of records reach the model. */
export function refusalOfRecord({
	id,
	session = "",
	provenance,
	files,
	sources,
	body,
}: NewRecord): string | undefined {
	if (!/^mem_[a-z0-9_]{1,64}$/.test(id)) return `${JSON.stringify(id.slice(0, 80))} is no id of a record`;
	if (!/^[0-9a-f]{64}$/.test(body)) return "it names its text by something else than a SHA-256";
	if (session.length > NAME_CHARS || provenance.length > NAME_CHARS)
		return "a name in it is longer than 200 characters";
	if ([files, sources].every((names) => boundedNames(names, "").kept.length === names.length))
		return undefined;
	return "it names more files or sources than a record keeps, or one of them twice";
}

/** Why a text may not be remembered; `undefined` where it may. It is never cut. */
export function refusalOfText(text: string, body: string, chars: number): string | undefined {
	if (text.length > TEXT_CHARS)
		return `its text has ${whole(text.length)} characters, more than ${whole(TEXT_CHARS)}`;
	if (sha256Node(Buffer.from(text)) !== body || text.length !== chars)
		return "its text is not the one its event names: it was changed since";
	const secret = secretIn(text, true);
	return secret === undefined ? undefined : `its text seems to hold ${secret}`;
}
