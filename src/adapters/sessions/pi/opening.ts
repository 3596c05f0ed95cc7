import { createHash } from "node:crypto";
import { pieces, type Source } from "./pieces.ts";
import { asString, type RawEntry } from "./raw-entry.ts";
import { recognise } from "./recognise.ts";
import type { Judge } from "./salvage.ts";
import { SessionError } from "./session-error.ts";
import { valuesOf } from "./values.ts";

/** A version of Pi's session format. */
export type SessionFormat = "pi-v1" | "pi-v2" | "pi-v3";

/** What a session file says of itself in its header. */
interface SessionHeader {
	readonly id?: string;
	readonly cwd?: string;
	/** when the session began, ms since the epoch */
	readonly at?: number;
	/** path of the session file it was forked from */
	readonly parentSession?: string;
}

/** How a session file begins: all that has to be known before its entries are read. */
export interface Opening {
	readonly format: SessionFormat;
	/** absent where the file does not begin with one, as in a slice of a session */
	readonly header?: SessionHeader;
	/** the header's id, or one derived from the first entry */
	readonly id: string;
	readonly idFrom: "header" | "firstEntry";
}

/** Before the format is known, no ids are asked for, and what might be nested counts as nested. */
const NEWCOMER: Judge = { withIds: false, owns: () => false };

/** Bytes searched for an entry before a file is taken for something else. */
const MAX_SEARCH = 64 * 1024 * 1024;

/**
 * Reads as far as the first entry or header. A file without a header is of version 3 where its first entry has an id
 * and a parent, else of version 1. Throws `SESSION_EMPTY`, `SESSION_NOT_A_SESSION`, `SESSION_FORMAT_UNSUPPORTED`,
 * `SESSION_UNREADABLE`.
 */
export async function readOpening(source: Source): Promise<Opening> {
	const { path } = source;
	let blank = true;
	for await (const batch of pieces(source)) {
		for (const piece of batch.pieces) {
			if (piece.offset > MAX_SEARCH) throw notASession(path);
			if (piece.kind !== "text") {
				blank = false;
				continue;
			}
			for (const stretch of valuesOf(piece, NEWCOMER)) {
				blank = false;
				if (!stretch.whole) continue;
				const recognised = recognise(stretch.value);
				if (recognised.is === "foreign") {
					const message = `${path}: is a session of ${recognised.name}; only sessions of Pi are read`;
					throw new SessionError("SESSION_FORMAT_UNSUPPORTED", path, message);
				}
				if (recognised.is === "pi") return openingOf(path, recognised.raw, stretch.bytes);
			}
		}
	}
	if (blank) throw new SessionError("SESSION_EMPTY", path, `${path}: holds nothing but white space`);
	throw notASession(path);
}

function notASession(path: string): SessionError {
	return new SessionError("SESSION_NOT_A_SESSION", path, `${path}: holds no entry of a Pi session`);
}

function openingOf(path: string, raw: RawEntry, bytes: Uint8Array): Opening {
	if (raw.type !== "session") {
		const format = "id" in raw && "parentId" in raw ? "pi-v3" : "pi-v1";
		return { format, id: derivedSessionId(bytes), idFrom: "firstEntry" };
	}
	const version = Number(raw.version ?? 1);
	if (!(version <= 3)) {
		const message = `${path}: is a session of Pi's format ${raw.version}; formats 1 to 3 are read`;
		throw new SessionError("SESSION_FORMAT_UNSUPPORTED", path, message);
	}
	const id = asString(raw.id);
	return {
		format: version < 2 ? "pi-v1" : version < 3 ? "pi-v2" : "pi-v3",
		header: headerOf(raw),
		id: id ?? derivedSessionId(bytes),
		idFrom: id === undefined ? "firstEntry" : "header",
	};
}

function headerOf(raw: RawEntry): SessionHeader {
	const id = asString(raw.id);
	const cwd = asString(raw.cwd);
	const at = Date.parse(asString(raw.timestamp) ?? "");
	const parentSession = asString(raw.parentSession) ?? asString(raw.branchedFrom);
	return {
		...(id !== undefined && { id }),
		...(cwd !== undefined && { cwd }),
		...(!Number.isNaN(at) && { at }),
		...(parentSession !== undefined && { parentSession }),
	};
}

/** The id of a session that states none: `entry-` and 32 hex digits of the SHA-256 of its first entry's bytes. */
function derivedSessionId(bytes: Uint8Array): string {
	return `entry-${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}`;
}
