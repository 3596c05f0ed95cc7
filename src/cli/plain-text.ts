/** Foreign text in one line of a terminal: ids, names and paths may hold anything, and nothing may move the cursor. */
export function oneLine(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => {
		return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
	});
}
