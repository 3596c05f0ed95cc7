import { sep } from "node:path";

/** Runs of wildcards in one part of a path that are tried: what has more may stand for anything. */
const MOST_WILD = 6;

/** Whether a path is a folder, or lies below it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/**
 * Whether a path with wildcards may stand for a file; or for a folder above it, where `isSwept` says that all below is
 * meant; or for what lies below it, where `isFolder`.
 */
export function globReaches(glob: string, file: string, isSwept = false, isFolder = false): boolean {
	const mine = glob.split(/[\\/]/);
	const theirs = file.split(/[\\/]/);
	return walk(0, 0);

	function walk(at: number, to: number): boolean {
		if (at === mine.length) return to === theirs.length || isSwept;
		if (to === theirs.length) return isFolder;
		const part = mine[at] ?? "";
		if (part === "**" && (walk(at + 1, to) || walk(at, to + 1))) return true;
		return patternOf(part).test(theirs[to] ?? "") && walk(at + 1, to + 1);
	}
}

/** A part of a path as a pattern of what it may stand for. */
function patternOf(part: string): RegExp {
	if ((part.match(/[*?[{]+/g)?.length ?? 0) > MOST_WILD) return /^/;
	const source = part.replace(/\*+|\?|\[[^\]]*\]|\{[^}]*\}|[^*?[{]+|[[{]/g, (piece) => {
		if (piece.startsWith("*")) return ".*";
		if (piece === "?") return ".";
		if (piece.length > 1 && piece.startsWith("[")) return ".";
		if (piece.length > 1 && piece.startsWith("{")) return bracesOf(piece.slice(1, -1));
		return escaped(piece);
	});
	return new RegExp(`^${source}$`, "isu");
}

function bracesOf(inner: string): string {
	return inner.includes(",") && !/[*?[{]/.test(inner)
		? `(?:${inner.split(",").map(escaped).join("|")})`
		: ".*";
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
