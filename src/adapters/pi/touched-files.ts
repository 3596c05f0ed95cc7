import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Longest argument that is looked into, characters: what is longer is content, not a path or a command. */
const LONGEST = 2_000;

/** Deepest nesting of arguments that is looked into. */
const DEEPEST = 6;

/**
 * Whether the arguments of a tool call name a file, or something below it where it is a folder: as an absolute path, from
 * the working folder, or from the user's home. What is said by other ways, such as after a `cd`, is not seen.
 */
export function mentions(input: unknown, file: string, cwd: string): boolean {
	const forms = formsOf(file, cwd);
	return stringsIn(input).some((text) => forms.some((form) => stands(text, form)));
}

/** The ways a path is written. */
function formsOf(file: string, cwd: string): string[] {
	const path = absolute(file, cwd);
	const fromHome = relative(homedir(), path);
	const fromHere = relative(cwd, path);
	const forms = [path];
	if (fromHome !== "" && !leaves(fromHome)) forms.push(`~${sep}${fromHome}`, `$HOME${sep}${fromHome}`);
	if (fromHere !== "" && !isAbsolute(fromHere)) forms.push(fromHere);
	return sep === "/" ? forms : forms.flatMap((form) => [form, form.replaceAll(sep, "/")]);
}

function absolute(file: string, cwd: string): string {
	const path = /^~(?=[\\/]|$)/.test(file) ? `${homedir()}${file.slice(1)}` : file;
	return resolve(cwd, path);
}

function leaves(path: string): boolean {
	return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** Whether a path stands in a text by itself: neither the end of a longer one nor the beginning of a longer name. */
function stands(text: string, form: string): boolean {
	for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
		const before = text.slice(Math.max(0, at - 3), at);
		const after = text.slice(at + form.length, at + form.length + 2);
		const begins =
			!/[\p{L}\p{N}_\-.\\/~]$/u.test(before) || /(?:^|[^\p{L}\p{N}_\-.\\/])\.[\\/]$/u.test(before);
		if (begins && !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(after)) return true;
	}
	return false;
}

function stringsIn(input: unknown, depth = 0): string[] {
	if (typeof input === "string") return input.length <= LONGEST ? [input] : [];
	if (typeof input !== "object" || input === null || depth > DEEPEST) return [];
	return Object.values(input).flatMap((value) => stringsIn(value, depth + 1));
}
