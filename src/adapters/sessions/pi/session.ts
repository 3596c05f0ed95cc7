import type { TranscriptEntry } from "../../../../projections/transcript.ts";
import { EntryReader } from "./entry-reader.ts";
import { type Opening, readOpening } from "./opening.ts";
import { pieces } from "./pieces.ts";
import { clearReport, emptyReport, type SessionReport } from "./report.ts";
import { openSource } from "./source.ts";

/** How a session is read. */
export interface SessionOptions {
	/** bytes of a line above which it is quarantined instead of held; 256 MiB unless given, 512 MB at most */
	readonly maxLineBytes?: number;
	/** told now and then how many of how many bytes are read */
	readonly onProgress?: (done: number, total: number) => void;
}

/** A session file, opened. Nothing is held open while its entries are not being read. */
export interface SessionFile extends Opening {
	readonly path: string;
	/** bytes, when it was opened */
	readonly size: number;
	/** the entries in file order, read as they are asked for; each pass reads the file again, one at a time */
	readonly entries: AsyncIterable<TranscriptEntry>;
	/** what the pass over `entries` found so far; begins anew with each pass */
	readonly report: SessionReport;
}

/** A JavaScript string holds less than 2^29 characters. */
const MAX_LINE = 2 ** 29 - 64;

/**
 * Opens a session that Pi recorded, of any format version, and never writes to it. Whole entries on broken lines are
 * salvaged; what is no entry is quarantined and stands in the report; nothing else is lost. Memory is bounded by the
 * longest line, plus about ten bytes for each entry's id.
 *
 * Throws `SESSION_NOT_FOUND`, `SESSION_NOT_A_FILE`, `SESSION_UNREADABLE`, `SESSION_EMPTY`, `SESSION_NOT_A_SESSION` and
 * `SESSION_FORMAT_UNSUPPORTED`; reading the entries throws `SESSION_UNREADABLE`.
 */
export async function openSession(path: string, options: SessionOptions = {}): Promise<SessionFile> {
	const source = await openSource(path, Math.min(options.maxLineBytes ?? 256 * 1024 * 1024, MAX_LINE));
	const { size, maxPieceBytes } = source;
	let opening: Opening;
	try {
		opening = await readOpening(source);
	} finally {
		await source.handle.close();
	}
	const report = emptyReport();
	async function* entries(): AsyncGenerator<TranscriptEntry> {
		clearReport(report);
		const reader = new EntryReader(opening.format, opening.header?.at ?? 0, report);
		const again = await openSource(path, maxPieceBytes);
		try {
			for await (const batch of pieces(again)) {
				for (const piece of batch.pieces) yield* reader.read(piece);
				report.bytesRead = batch.upTo;
				options.onProgress?.(batch.upTo, again.size);
			}
			reader.end();
		} finally {
			await again.handle.close();
		}
	}
	return { ...opening, path, size, report, entries: { [Symbol.asyncIterator]: entries } };
}

/** The entries of a session file, in file order, for those who need neither header nor report. As `openSession`. */
export async function* readSession(path: string, options?: SessionOptions): AsyncGenerator<TranscriptEntry> {
	yield* (await openSession(path, options)).entries;
}
