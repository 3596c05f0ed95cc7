import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { TranscriptEntry } from "../../../../projections/transcript.ts";
import type { NoteUnknown } from "./blocks.ts";
import { entryOf, timeOf } from "./entry.ts";
import { type Lineage, lineLineage, treeLineage } from "./lineage.ts";
import type { SessionFormat } from "./opening.ts";
import type { Piece } from "./pieces.ts";
import { asRawEntry, type RawEntry } from "./raw-entry.ts";
import { list, type QuarantineReason, type SessionReport } from "./report.ts";
import { type Stretch, valuesOf } from "./values.ts";

/** Turns the pieces of a file, in order, into entries: counts the objects of each line and keeps the report. */
export class EntryReader {
	private readonly lineage: Lineage;
	private readonly report: SessionReport;
	private readonly note: NoteUnknown;
	private at: number;
	private first = true;
	private line = 0;
	/** whole objects met on this line */
	private nth = 0;
	private broken = false;

	constructor(format: SessionFormat, at: number, report: SessionReport) {
		this.lineage = format === "pi-v1" ? lineLineage() : treeLineage(report);
		this.report = report;
		this.at = at;
		this.note = (what) => report.unknown.set(what, (report.unknown.get(what) ?? 0) + 1);
	}

	/** The entries of the next piece. */
	*read(piece: Piece): Generator<TranscriptEntry> {
		if (piece.line !== this.line) this.turnTo(piece.line);
		if (piece.kind !== "text") {
			this.broken = true;
			const { line, offset, length: bytes, digest } = piece;
			const reason = piece.kind === "gap" ? "nul-gap" : "too-long";
			list(this.report, this.report.quarantined, { line, offset, bytes, digest, reason });
			return;
		}
		if (!isUtf8(piece.bytes)) list(this.report, this.report.invalidUtf8, piece.line);
		const stretches = valuesOf(piece, this.lineage);
		if (stretches.length > 1) this.broken = true;
		for (const stretch of stretches) {
			const raw = stretch.whole ? asRawEntry(stretch.value) : undefined;
			if (raw === undefined) this.quarantine(stretch);
			else if (this.isEntry(raw)) yield this.entry(raw, stretch.bytes, piece.owned);
		}
		if (piece.end === "file" && stretches.at(-1)?.whole) this.report.openEnd = true;
	}

	/** Closes the books on the last line. */
	end(): void {
		this.turnTo(0);
	}

	private turnTo(line: number): void {
		if (this.broken && this.nth > 0) {
			list(this.report, this.report.salvaged, { line: this.line, objects: this.nth });
		}
		this.line = line;
		this.nth = 0;
		this.broken = false;
	}

	private isEntry(raw: RawEntry): boolean {
		this.nth++;
		const isHeader = raw.type === "session";
		if (isHeader) {
			this.lineage.pass();
			if (!this.first) list(this.report, this.report.extraHeaders, this.line);
		}
		this.first = false;
		return !isHeader;
	}

	private entry(raw: RawEntry, bytes: Buffer, owned: boolean): TranscriptEntry {
		const { line } = this;
		this.at = timeOf(raw) ?? this.at;
		this.report.entries++;
		const place = this.lineage.place(raw, line, this.nth);
		return entryOf(raw, place, { line, at: this.at, bytes: owned ? bytes : Buffer.from(bytes) }, this.note);
	}

	private quarantine({ whole, bytes, offset, ...rest }: Stretch): void {
		this.broken = true;
		if (whole) this.lineage.pass();
		else this.lineage.lose(bytes);
		const reason: QuarantineReason = "reason" in rest ? rest.reason : "not-an-entry";
		const digest = createHash("sha256").update(bytes).digest("hex");
		list(this.report, this.report.quarantined, {
			line: this.line,
			offset,
			bytes: bytes.length,
			digest,
			reason,
		});
	}
}
