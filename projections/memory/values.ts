/**
 * The values of a text that are of no use unless they stay to the letter, in their order and once each: what stands in
 * backticks or quotes, names with hyphens, underscores or dots in them, numbers. Dates as in ISO 8601 are none, nor are
 * the numbers of a list.
 */
export function valuesIn(text: string): string[] {
	const plain = text.normalize("NFKC").replace(DATE, " ").replace(LIST_MARK, "$1");
	const found: { readonly at: number; readonly value: string }[] = [];
	let left = plain;
	for (const pattern of PATTERNS) {
		left = left.replace(pattern, (whole: string, ...rest: unknown[]) => {
			const groups = rest.slice(
				0,
				rest.findIndex((part) => typeof part === "number"),
			);
			const at = rest.find((part) => typeof part === "number") as number;
			const value = (groups.find((part) => typeof part === "string" && part !== "") ?? whole) as string;
			if (!isWorthKeeping(value)) return whole;
			found.push({ at, value });
			// what is found stays as long, so that places hold
			return " ".repeat(whole.length);
		});
	}
	const inOrder = found.sort((a, b) => a.at - b.at).map(({ value }) => value);
	return [...new Set(inOrder)];
}

const DATE = /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g;
const LIST_MARK = /^(\s*)\d{1,3}[.)](?=\s)/gm;

/** Each kind of value; what one has found the next does not see. */
const PATTERNS: readonly RegExp[] = [
	/`([^`\n]{1,120})`/g,
	/"([^"\n]{1,120})"|“([^”\n]{1,120})”|„([^“\n]{1,120})“|«\s?([^»\n]{1,120}?)\s?»|「([^」\n]{1,120})」|『([^』\n]{1,120})』/g,
	/(?<![\p{L}\p{N}_'’])'([^'\n]{1,120})'(?![\p{L}\p{N}_])/gu,
	// paths and dotted names
	/(?<![\w.-])[A-Za-z_@~/.][\w@~-]*(?:[./][\w@~-]+)+(?![\w-])/g,
	/(?<![A-Za-z\d_])_*[A-Za-z\d]+(?:_[A-Za-z\d]+)+(?![A-Za-z\d_])/g,
	/(?<![A-Za-z\d-])[A-Za-z\d]+(?:-[A-Za-z\d]+)+(?![A-Za-z\d])/g,
	/(?<![A-Za-z\d_.])v?\d+(?:[.,:]\d+)*(?:\s?%|[a-zA-Z]{1,3})?(?![A-Za-z\d_])/g,
];

/** Parts by which plain English words are made with a hyphen. */
const PLAIN_PART =
	/^(?:re|non|pre|post|co|self|long|short|high|low|full|half|well|up|on|off|in|out|built|read|write|one|two|first|second|third|real|run|up|to|date|end|by|so|called|line|case|time|level|only|based|specific|related|free|safe|side|like|wide|friendly|e|i)$/i;

function isWorthKeeping(value: string): boolean {
	if (value.trim() === "") return false;
	if (!/^[A-Za-z]+(?:-[A-Za-z]+)+$/.test(value)) return true;
	return !value.split("-").some((part) => PLAIN_PART.test(part));
}
