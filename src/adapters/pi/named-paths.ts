import { lstatSync, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, join, parse, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A word of a command or an argument that may name a file. */
export interface NamedPath {
	/** where it leads: as it is written, and with its links followed as far as they are there */
	readonly paths: readonly string[];
	/** where it has wildcards: what they stand in, absolute, unresolved from its first wildcard on */
	readonly glob?: string;
}

/** What stands for a value in a text: variables by name. */
export type Variables = (name: string) => string | undefined;

/** Characters between words of a command, and between an option or an address and a path. */
const BETWEEN = "\\s;|&()<>`=,@";
const QUOTED_WORD = new RegExp(
	`(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*'|\\\\.|\\{[^{}\\s]*\\}|[^${BETWEEN}"'\\\\])+`,
	"gsu",
);
const BARE_WORD = new RegExp(`(?:\\{[^{}\\s]*\\}|[^${BETWEEN}])+`, "gu");
const WILD = /[*?[{]/;

/** Words without a sign of a path that are looked up in the working folder at most, for they may be links. */
const MOST_BARE = 32;
/** Words whose links are followed at most; the others are taken as they are written. */
const MOST_FOLLOWED = 1_000;

/** A text without what a shell takes away before it looks for a file. */
export function unquoted(text: string): string {
	return sep === "\\" ? text.replace(/["']/g, "").replaceAll("\\", "/") : text.replace(/["'\\]/g, "");
}

/** The words of a text, quotes taken away; what stands in quotes as one word and as words of its own. */
export function wordsOf(text: string): readonly string[] {
	const bare = unquoted(text).match(BARE_WORD) ?? [];
	if (sep === "\\" || bare.length === 0 || !/["'\\]/.test(text)) return bare;
	return [...(text.match(QUOTED_WORD) ?? []).map(unquoted), ...bare];
}

/**
 * Where words lead from a working folder, and from folders that a command goes to before. Nothing is read of the disk for
 * options, and of words that look like no path only whether they are links there.
 */
export function pathsNamed(words: readonly string[], cwd: string, variables: Variables): NamedPath[] {
	const bases = [cwd];
	const seen = new Set<string>();
	const named: NamedPath[] = [];
	let bare = 0;
	words.forEach((word, at) => {
		const isGoing = /^(?:cd|pushd|-C)$/.test(words[at - 1] ?? "");
		if (seen.has(word) && !isGoing) return;
		seen.add(word);
		const path = expanded(word, variables);
		const isPlain = !isGoing && path === word && /^[\p{L}\p{N}_. -]+$/u.test(word) && !/^\.\.?$/.test(word);
		if (isPlain && (/^-/.test(word) || ++bare > MOST_BARE)) return;
		for (const base of bases.slice(-4)) {
			if (isPlain && base === cwd && !isLink(join(base, word))) continue;
			named.push(leadingTo(path, base, named.length < MOST_FOLLOWED));
		}
		const target = isGoing && bases.at(-1);
		if (target) bases.push(resolve(target, path));
	});
	return named;
}

/** The real path of what is there of a path, and the rest as it is. */
export function realOf(path: string): string {
	const rest: string[] = [];
	for (let at = path; ; at = dirname(at)) {
		try {
			return join(realpathSync(at), ...rest);
		} catch {
			if (dirname(at) === at) return path;
			rest.unshift(basename(at));
		}
	}
}

function leadingTo(path: string, base: string, isFollowed: boolean): NamedPath {
	const at = path.search(WILD);
	const isWild = at !== -1;
	const plain = isWild ? path.slice(0, path.lastIndexOf("/", at) + 1) || "." : path;
	const written = resolve(base, plain);
	if (!isFollowed) return isWild ? { paths: [], glob: resolve(base, path) } : { paths: [written] };
	const real = /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(plain) ? walked(base, plain) : written;
	const paths = [...new Set([written, realOf(written), realOf(real)])];
	if (!isWild) return { paths };
	return { paths: [], glob: join(realOf(real), path.slice(path.lastIndexOf("/", at) + 1)) };
}

/** As the system goes it: `..` behind a link leads out of where the link leads. */
function walked(base: string, path: string): string {
	const { root } = parse(path);
	return path
		.slice(root.length)
		.split(/[\\/]/)
		.reduce((at, part) => (part === ".." ? dirname(realOf(at)) : join(at, part)), root || base);
}

/** A word with its home, variables and address expanded. */
function expanded(word: string, variables: Variables): string {
	const told = word.replace(
		/\$(?:\{(\w+)(?::?[-=?+][^}]*)?\}|(\w+))/g,
		(whole, braced, plain) => variables(braced ?? plain) ?? whole,
	);
	if (/^file:\/\//i.test(told)) return fromAddress(told);
	const [, behind] = told.match(/^[^/\\~]{2,}:((?:~|\/(?!\/)).*)$/s) ?? [];
	const path = (behind ?? told).replace(/^~([\w-]*)(?=[\\/]|$)/, (whole, name: string) =>
		name === "" || name === userInfo().username ? homedir() : whole,
	);
	return path.replace(/^\/+proc\/+(?:self|thread-self|\d+|\$\$)\/+(?:task\/+\d+\/+)?root(?=\/|$)/, "/");
}

function fromAddress(address: string): string {
	try {
		return fileURLToPath(address.replace(/^file:\/\/localhost(?=\/)/i, "file://"));
	} catch {
		return address;
	}
}

function isLink(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	} catch {
		return false;
	}
}
