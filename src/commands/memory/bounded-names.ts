/** Most names a record keeps of what it was drawn from, or of the files it is about. */
const MOST_NAMES = 64;
/** Most characters of them in all. */
const NAME_CHARS = 4_096;

/** Names as a record keeps them. */
export interface BoundedNames {
	readonly kept: readonly string[];
	/** says how many were left out; none where all are kept */
	readonly notes: readonly string[];
}

/**
 * Names without blanks around them and without repeats, in their order: at most 64 of them and 4,096 characters in all;
 * the first that goes beyond ends the list. `what` is their word in the note.
 */
export function boundedNames(names: readonly string[], what: string): BoundedNames {
	const distinct = [...new Set(names.map((name) => name.toWellFormed().trim()))].filter(
		(name) => name !== "",
	);
	const kept: string[] = [];
	let chars = 0;
	for (const name of distinct) {
		chars += name.length;
		if (kept.length === MOST_NAMES || chars > NAME_CHARS) break;
		kept.push(name);
	}
	if (kept.length === distinct.length) return { kept, notes: [] };
	const left = `${distinct.length - kept.length} of ${distinct.length} ${what} were left out`;
	return { kept, notes: [`${left}: at most ${MOST_NAMES} are kept, of 4,096 characters in all`] };
}
