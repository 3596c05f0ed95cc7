import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentDirectory } from "../../store/identity.ts";
import { makeDirectory } from "../../store/make-directory.ts";
import { type CompactConfig, compactConfigIn, DEFAULT_COMPACT_CONFIG } from "./compact-config.ts";
import { type Place, wasTrusted } from "./project-trust.ts";
import { wordsOf } from "./say.ts";

/** The name of the file, in the project's folder for the host and in the host's own. */
const NAME = "pi-compact.json";

/** The host's folder in a project. */
const PROJECT_FOLDER = ".pi";

/** No configuration takes more bytes; what does is another file. */
const LARGEST = 65_536;

/** Characters of what a parser or the system says of a file. */
const WHY_CHARS = 160;

/** The configuration in force, and where it comes from. */
export interface ConfigInForce {
	readonly config: CompactConfig;
	/** whose file holds; `defaults` where there is none */
	readonly from: "project" | "global" | "defaults";
	/** the file that holds; absent where there is none */
	readonly path?: string;
	/** why that file is passed over for the defaults, in words */
	readonly refused?: string;
}

/** What the files said when they were last read, by their path: followed as they are, and not read again unchanged. */
const known = new Map<string, { readonly stamp: string; readonly read: ReadConfig }>();

type ReadConfig = Pick<ConfigInForce, "config" | "refused">;

/** What holds where there is no file. */
export const DEFAULTS_IN_FORCE: ConfigInForce = { config: DEFAULT_COMPACT_CONFIG, from: "defaults" };

/**
 * The configuration in force, and where it comes from: the project's file, where somebody trusted it and it has one, else
 * the one in the host's folder, else the defaults. The first that exists holds whole, and one that cannot be read holds
 * for the defaults. Edits count at once. Never throws.
 */
export function compactConfigInForce(place: Place): ConfigInForce {
	const paths = pathsFor(place);
	for (const path of paths) {
		const stamp = stampOf(path);
		if (stamp === undefined) continue;
		const before = known.get(path);
		const read = before?.stamp === stamp ? before.read : readConfig(path);
		if (read !== before?.read) known.set(path, { stamp, read });
		return { ...read, from: path === paths.at(-1) ? "global" : "project", path };
	}
	return DEFAULTS_IN_FORCE;
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
	const project = wasTrusted(place) ? [join(place.cwd, PROJECT_FOLDER, NAME)] : [];
	return [...project, join(agentDirectory(), NAME)];
}

function readConfig(path: string): ReadConfig {
	const refused = (why: string) => ({ config: DEFAULT_COMPACT_CONFIG, refused: why });
	try {
		const stats = statSync(path);
		if (!stats.isFile()) return refused("it is no file");
		if (stats.size > LARGEST) return refused("it is too large to be one");
		const content: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
		if (typeof content !== "object" || content === null || Array.isArray(content))
			return refused("it holds no object");
		return { config: compactConfigIn(content) };
	} catch (error) {
		// a parser quotes what it could not read, control characters and all
		return refused(
			wordsOf(error)
				.replaceAll(/[\s\p{Cc}]+/gu, " ")
				.slice(0, WHY_CHARS),
		);
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
