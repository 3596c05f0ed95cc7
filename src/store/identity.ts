import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { sha256Node } from "./hash.ts";

/** Longest folder name made of an id; what is longer ends in a digest. File systems allow 255 bytes. */
const LONGEST = 100;

/** Names Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/**
 * A session's store is at home where its root entry says so: two files that share an id and a root share a store, and
 * another root under the same id has its own.
 */
export interface SessionIdentity {
	readonly sessionId: string;
	/** id of the session's root entry */
	readonly rootId: string;
}

/** Where all stores lie: `PALIMPSEST_HOME`, or `palimpsest` in Pi's agent directory. */
export function homeDirectory(
	environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
	if (environment.PALIMPSEST_HOME) return expanded(environment.PALIMPSEST_HOME);
	return join(agentDirectory(environment), "palimpsest");
}

/** Pi's own folder: `PI_CODING_AGENT_DIR`, or `.pi/agent` in the user's home. */
export function agentDirectory(
	environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
	const agent = environment.PI_CODING_AGENT_DIR;
	return agent ? expanded(agent) : join(homedir(), ".pi", "agent");
}

/** Tells which root a store was made for (`session/opened` records that), or `undefined` where none is recorded. */
export type RootOf = (directory: string) => Promise<string | undefined>;

/** The folder of a session's store; see {@link directoryAmong}. */
export function sessionDirectory(home: string, identity: SessionIdentity, rootOf: RootOf): Promise<string> {
	return directoryAmong(join(home, "sessions"), identity, rootOf);
}

/**
 * The folder of a session's store among others: named for its id, or for its id and root where the plain name is
 * another's. `rootOf` is asked only where a folder of the plain name exists.
 */
export async function directoryAmong(
	stores: string,
	{ sessionId, rootId }: SessionIdentity,
	rootOf: RootOf,
): Promise<string> {
	const own = join(stores, `${escapeName(sessionId)}~${escapeName(rootId)}`);
	// made while the plain name was another's; it stays this session's even if that one is gone by now
	if (existsSync(own)) return own;
	const plain = join(stores, escapeName(sessionId));
	if (!existsSync(plain)) return plain;
	const holder = await rootOf(plain);
	return holder === undefined || holder === rootId ? plain : own;
}

/** The folder of a workspace's memory, by the digest of its absolute path. */
export function workspaceDirectory(home: string, path: string): string {
	return join(home, "workspaces", sha256Node(Buffer.from(path)).slice(0, 32));
}

/**
 * An id as a folder name, the same on every file system: lower-case letters, digits, `-`, `_` and inner dots stand for
 * themselves, every other byte of its UTF-8 as `%xx`. Capitals too, because some file systems take them for small ones.
 */
export function escapeName(id: string): string {
	const escaped = [...Buffer.from(id)].map((byte, index, bytes) => {
		const char = String.fromCharCode(byte);
		const inner = index > 0 && index < bytes.length - 1;
		return /[a-z0-9_-]/.test(char) || (char === "." && inner)
			? char
			: `%${byte.toString(16).padStart(2, "0")}`;
	});
	const name = escaped.join("") || "%";
	if (name.length > LONGEST)
		return `${name.slice(0, LONGEST - 33)}%${sha256Node(Buffer.from(id)).slice(0, 32)}`;
	return RESERVED.test(name) ? `%${name}` : name;
}

function expanded(path: string): string {
	return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
