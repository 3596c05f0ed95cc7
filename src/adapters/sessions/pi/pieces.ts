import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { SessionError } from "./session-error.ts";

/** Bytes between two line ends or NUL runs, without them. */
export interface TextPiece {
	readonly kind: "text";
	/** 1-based */
	readonly line: number;
	/** place of the first byte in the file */
	readonly offset: number;
	/** valid until the next batch is asked for, unless `owned` */
	readonly bytes: Buffer;
	/** whether `bytes` may be kept without copying */
	readonly owned: boolean;
	/** whether the piece stands at the beginning of its line */
	readonly opensLine: boolean;
	/** what follows it */
	readonly end: "line" | "gap" | "file";
}

/** Bytes no entry is read from: a run of NUL bytes, or a piece longer than the reader holds. */
interface VoidPiece {
	readonly kind: "gap" | "long";
	/** 1-based line of the first byte */
	readonly line: number;
	/** place of the first byte in the file */
	readonly offset: number;
	/** bytes */
	readonly length: number;
	/** hex SHA-256 of those bytes */
	readonly digest: string;
}

/** A stretch of the file, in file order. */
export type Piece = TextPiece | VoidPiece;

/** The pieces that end in one chunk of the file. */
export interface Batch {
	readonly pieces: readonly Piece[];
	/** bytes of the file gone through so far */
	readonly upTo: number;
}

/** A file opened for reading, and how much of it is read. */
export interface Source {
	readonly path: string;
	readonly handle: FileHandle;
	/** bytes read at most: the file's size when it was opened */
	readonly size: number;
	/** bytes of a piece above which it is not held in memory */
	readonly maxPieceBytes: number;
}

/** Bytes read at a time. */
const CHUNK = 1024 * 1024;
const NEWLINE = 10;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Cuts a file at line ends and at runs of NUL bytes, which no JSON holds, and yields the pieces in batches, one for
 * each megabyte read. Memory is bounded by that megabyte and the longest piece. A byte-order mark at the beginning is
 * left out. Throws `SESSION_UNREADABLE`.
 */
export async function* pieces(source: Source): AsyncGenerator<Batch> {
	const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, Math.max(source.size, 1)));
	let line = 1;
	let opensLine = true;
	let start = 0;
	let gap = false;
	for (let base = 0; base < source.size; ) {
		const want = Math.min(chunk.length, source.size - base);
		await fill(source, chunk.subarray(0, want), base);
		const view = chunk.subarray(0, want);
		const batch: Piece[] = [];
		let i = base === 0 && view.subarray(0, 3).equals(BOM) ? 3 : 0;
		start += i;
		let newline = -1;
		let nul = -1;
		while (i < want) {
			if (gap) {
				while (i < want && view[i] === 0) i++;
				if (i === want) break;
				batch.push(await voidPiece(source, "gap", line, start, base + i - start));
				gap = false;
				start = base + i;
				opensLine = false;
			}
			if (newline < i) newline = next(view, NEWLINE, i);
			if (nul < i) nul = next(view, 0, i);
			const stop = Math.min(newline, nul);
			if (stop === want) break;
			const end = newline < nul ? "line" : "gap";
			if (base + stop > start)
				batch.push(await textPiece(source, view, base, { line, start, opensLine, end }, stop));
			if (end === "line") {
				line++;
				opensLine = true;
				i = stop + 1;
			} else {
				gap = true;
				i = stop;
			}
			start = base + i;
		}
		if (base + want === source.size && start < source.size) {
			if (gap) batch.push(await voidPiece(source, "gap", line, start, source.size - start));
			else batch.push(await textPiece(source, view, base, { line, start, opensLine, end: "file" }, want));
		}
		base += want;
		yield { pieces: batch, upTo: base };
	}
}

function next(view: Buffer, byte: number, from: number): number {
	const found = view.indexOf(byte, from);
	return found === -1 ? view.length : found;
}

async function fill({ path, handle }: Source, target: Buffer, position: number): Promise<void> {
	let done = 0;
	while (done < target.length) {
		let bytesRead: number;
		try {
			({ bytesRead } = await handle.read(target, done, target.length - done, position + done));
		} catch (cause) {
			throw new SessionError(
				"SESSION_UNREADABLE",
				path,
				`${path}: reading at byte ${position + done} failed`,
				{ cause },
			);
		}
		if (bytesRead === 0) {
			const message = `${path}: ends at byte ${position + done}, though it was longer when it was opened`;
			throw new SessionError("SESSION_UNREADABLE", path, message);
		}
		done += bytesRead;
	}
}

interface Place {
	readonly line: number;
	readonly start: number;
	readonly opensLine: boolean;
	readonly end: TextPiece["end"];
}

/** A piece inside the chunk is a view of it; one that began before is read again from its first byte, once. */
async function textPiece(
	source: Source,
	view: Buffer,
	base: number,
	place: Place,
	stop: number,
): Promise<Piece> {
	const { line, start, opensLine, end } = place;
	const length = base + stop - start;
	if (length > source.maxPieceBytes) return voidPiece(source, "long", line, start, length);
	if (start >= base) {
		const bytes = view.subarray(start - base, stop);
		return { kind: "text", line, offset: start, bytes, owned: false, opensLine, end };
	}
	const bytes = Buffer.allocUnsafeSlow(length);
	await fill(source, bytes.subarray(0, base - start), start);
	view.copy(bytes, base - start, 0, stop);
	return { kind: "text", line, offset: start, bytes, owned: true, opensLine, end };
}

async function voidPiece(
	source: Source,
	kind: VoidPiece["kind"],
	line: number,
	offset: number,
	length: number,
): Promise<VoidPiece> {
	const hash = createHash("sha256");
	const window = Buffer.allocUnsafeSlow(Math.min(CHUNK, length));
	for (let done = 0; done < length; done += window.length) {
		const part = window.subarray(0, Math.min(window.length, length - done));
		await fill(source, part, offset + done);
		hash.update(part);
	}
	return { kind, line, offset, length, digest: hash.digest("hex") };
}
