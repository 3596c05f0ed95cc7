/** A path as it stands bare in a command: it has an ending, and spaces in it are escaped. */
const BARE =
	/(?<![\p{L}\p{N}_@$%+~./-])(?:[\p{L}\p{N}_@$%+~./-]|\\[ ()'&])*[\p{L}\p{N}_-]\.[A-Za-z]\w{0,7}(?![\p{L}\p{N}_@$%+~./-])/gu;

/** A word of the shell's that stands in quotes, as a whole. */
const QUOTED = /(?<=^|[\s=(;|&<>])(?:'([^'\n]*)'|"([^"\n]*)")(?=$|[\s);|&<>])/g;

/** What in quotes is a path: of one line, with an ending, and without what no usual name has. */
const PATH = /^[^\s"'`|;<>*?={}\\][^"'`|;<>*?{}\n\\]*\.[A-Za-z]\w{0,7}$/;

/** An option behind which a text stands and no path. */
const BEFORE_TEXT = /(?:^|\s)(?:-[a-z]*[mec]|--(?:message|eval|print|body|title))[ =]$/;

/** The paths a command names, in quotes and bare; those in quotes first. */
export function pathsInCommand(command: string): string[] {
	const paths: string[] = [];
	const bare = command.replace(
		QUOTED,
		(whole, single: string | undefined, double: string | undefined, at: number) => {
			const content = single ?? double ?? "";
			if (!PATH.test(content) || BEFORE_TEXT.test(command.slice(0, at))) return whole;
			paths.push(content);
			return " ";
		},
	);
	for (const [path] of bare.matchAll(BARE)) paths.push(path.replaceAll(/\\(?=[ ()'&])/g, ""));
	return paths;
}
