/** What makes a terminal colour text, move its cursor or name its window, from where it begins to its end. */
const ESCAPES =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
	/(?:\u001b\[|\u009b)[\d;:<=>?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-Z^-~\\]/g;

/** The same as code writes it. */
const WRITTEN = /\\(?:x1b|u001b|u\{1b\}|033|e)\[[\d;?]*[A-Za-z]/gi;

/** A text as a terminal shows it: without the sequences that steer it. */
export function withoutEscapes(text: string): string {
	return text.replace(ESCAPES, "");
}

/** A text without such sequences as code writes them (`\x1b[31m`), whose ends look like names. */
export function withoutWrittenEscapes(text: string): string {
	return text.replace(WRITTEN, "");
}
