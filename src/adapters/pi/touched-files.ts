import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Longest argument that is looked into, characters: what is longer is content, not a path or a command. */
const LONGEST = 2_000;

/** Deepest nesting of arguments that is looked into. */
const DEEPEST = 6;

/** Runs of characters in a text that begin or end where a path in it may. */
const WORD = /(?:[\p{L}\p{N}_-]|\.(?=[\p{L}\p{N}]))+/gu;

/**
 * Tells of files whether the arguments of a tool call name them, or something below them where they are folders: as an
 * absolute path, from the working folder, or from the user's home. What is said by other ways, such as after a `cd`, is not
 * seen. O(arguments) once, and next to nothing for a file whose last name is not in them.
 */
export function namedIn(input: unknown, cwd: string): (file: string) => boolean {
	const texts = stringsIn(input);
	const words = new Set(texts.flatMap((text) => text.match(WORD) ?? []));
	return (file) => {
		const last = lastWord(file);
		if (last !== undefined && !words.has(last)) return false;
		const forms = formsOf(file, cwd);
		return texts.some((text) => forms.some((form) => stands(text, form)));
	};
}

/** A word with which every way to write a file's path ends; `undefined` where there may be none. */
function lastWord(file: string): string | undefined {
	// below the working folder, by a path that stays as it is
	const isPlain = !/^[\\/~]|^[A-Za-z]:|(?:^|[\\/])\.\.?(?:[\\/]|$)/.test(file);
	return isPlain ? file.match(WORD)?.at(-1) : undefined;
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
