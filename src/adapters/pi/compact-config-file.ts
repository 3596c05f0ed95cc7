import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { agentDirectory } from "../../store/identity.ts";
import { makeDirectory } from "../../store/make-directory.ts";
import { type CompactConfig, compactConfigIn, DEFAULT_COMPACT_CONFIG } from "./compact-config.ts";

/** The name of the file, in the project's folder for the host and in the host's own. */
const NAME = "pi-compact.json";

/** The host's folder in a project. */
const PROJECT_FOLDER = ".pi";

/** No configuration takes more bytes; what does is another file. */
const LARGEST = 65_536;

/** Where a session runs, and whether its project's files may be followed. */
type Place = Pick<ExtensionContext, "cwd" | "isProjectTrusted">;

/** What the files said when they were last read, by their path: followed as they are, and not read again unchanged. */
const known = new Map<string, { readonly stamp: string; readonly config: CompactConfig }>();

/**
 * The configuration in force: the project's file, where that project is trusted and has one, else the one in the host's
 * folder, else the defaults. The first that exists holds whole, and one that cannot be read holds for the defaults. Edits
 * count at once. Never throws.
 */
export function compactConfig(place: Place): CompactConfig {
	for (const path of pathsFor(place)) {
		const stamp = stampOf(path);
		if (stamp === undefined) continue;
		const before = known.get(path);
		if (before?.stamp === stamp) return before.config;
		const config = readConfig(path);
		known.set(path, { stamp, config });
		return config;
	}
	return DEFAULT_COMPACT_CONFIG;
}

/**
 * Writes the defaults to the host's folder where neither file exists, for the user to change. A file in each project
 * would hide that one, so none is made there. Never throws.
 */
export function scaffoldCompactConfig(place: Place): void {
	const paths = pathsFor(place);
	if (paths.some((path) => stampOf(path) !== undefined)) return;
	const path = paths.at(-1) as string;
	try {
		makeDirectory(dirname(path));
		writeFileSync(path, `${JSON.stringify(DEFAULT_COMPACT_CONFIG, null, "\t")}\n`, { flag: "wx" });
	} catch {
		// another process was first, or the folder takes no files: the defaults hold all the same
	}
}

function pathsFor(place: Place): string[] {
	const project = isTrusted(place) ? [join(place.cwd, PROJECT_FOLDER, NAME)] : [];
	return [...project, join(agentDirectory(), NAME)];
}

function isTrusted(place: Place): boolean {
	try {
		return place.isProjectTrusted();
	} catch {
		return false;
	}
}

function readConfig(path: string): CompactConfig {
	try {
		if (statSync(path).size > LARGEST) return DEFAULT_COMPACT_CONFIG;
		return compactConfigIn(JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")));
	} catch {
		return DEFAULT_COMPACT_CONFIG;
	}
}

/** Tells one state of a file from another; `undefined` where there is none. */
function stampOf(path: string): string | undefined {
	try {
		const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
		return stats && `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
	} catch {
		return undefined;
	}
}
