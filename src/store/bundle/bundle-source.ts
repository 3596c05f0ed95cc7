import { createHash } from "node:crypto";
import { type FileHandle, open, stat } from "node:fs/promises";
import { BundleError } from "./bundle-error.ts";
import {
	assertVersion,
	type BundleHeader,
	DIGEST_BYTES,
	decodeHeader,
	isRecordKind,
	MAGIC,
	MOST_HEADER_BYTES,
	MOST_RECORD_BYTES,
	RECORD_BYTES,
	type RecordKind,
} from "./bundle-format.ts";

/** A record of a bundle. Its bytes are the reader's to keep. */
export interface BundleRecord {
	readonly kind: RecordKind;
	readonly bytes: Buffer;
}

/** Bytes read at a time. */
const CHUNK_BYTES = 1 << 20;

/**
 * Whether a path is that of a file which begins as a bundle does, of whatever version; also one cut off within these
 * bytes. Nothing there is none. Throws what the system says.
 */
export async function isBundle(path: string): Promise<boolean> {
	const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
	if (!found?.isFile()) return false;
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
		// a file too short to tell is taken for one that begins so, but for an empty one
		return bytesRead > 0 && MAGIC.startsWith(buffer.toString("latin1", 0, bytesRead));
	} finally {
		await file.close();
	}
}

/** A bundle's file, read from its beginning to its end once, a chunk at a time. */
export class BundleSource implements AsyncDisposable {
	readonly header: BundleHeader;
	/** bytes of the file */
	readonly size: number;
	readonly #file: FileHandle;
	readonly #hash = createHash("sha256");
	#rest: Buffer;
	/** place in the file of what comes behind `rest` */
	#offset: number;
	#digest: string | undefined;

	private constructor(file: FileHandle, header: BundleHeader, size: number, opening: Buffer, rest: Buffer) {
		this.#file = file;
		this.header = header;
		this.size = size;
		this.#hash.update(opening);
		this.#rest = rest;
		this.#offset = opening.length + rest.length;
	}

	/**
	 * Opens a bundle. Throws `BUNDLE_UNRECOGNISED`, `BUNDLE_NEWER`, `BUNDLE_TRUNCATED`, `BUNDLE_DAMAGED`, and what the system
	 * says.
	 */
	static async open(path: string): Promise<BundleSource> {
		const file = await open(path);
		try {
			const { size } = await file.stat();
			let bytes = await readAt(file, 0, Math.min(size, CHUNK_BYTES));
			const first = bytes.indexOf("\n");
			const line = bytes.toString("latin1", 0, first < 0 ? Math.min(bytes.length, 64) : first);
			const isCut = first < 0 && bytes.length < 64;
			if (isCut && (MAGIC.startsWith(line) || /^palimpsest bundle \d+$/.test(line)))
				throw cutShort("its first line");
			assertVersion(line);
			let end = bytes.indexOf("\n", first + 1);
			while (end < 0 && bytes.length < Math.min(size, MOST_HEADER_BYTES)) {
				const more = Math.min(size - bytes.length, MOST_HEADER_BYTES - bytes.length, 4 * CHUNK_BYTES);
				bytes = Buffer.concat([bytes, await readAt(file, bytes.length, more)]);
				end = bytes.indexOf("\n", first + 1);
			}
			if (end < 0 && bytes.length < MOST_HEADER_BYTES) throw cutShort("its header");
			if (end < 0) throw new BundleError("BUNDLE_DAMAGED", "its header has no end");
			const header = decodeHeader(bytes.subarray(first + 1, end));
			return new BundleSource(file, header, size, bytes.subarray(0, end + 1), bytes.subarray(end + 1));
		} catch (error) {
			await file.close();
			throw named(path, error);
		}
	}

	/** Hex SHA-256 of every byte before the last record, once that was read. */
	get digest(): string | undefined {
		return this.#digest;
	}

	/** Bytes of the file that were read. */
	get offset(): number {
		return this.#offset;
	}

	/**
	 * The records in their order, in runs; the last is checked and not handed over. Throws `BUNDLE_TRUNCATED` where the
	 * file ends before it, `BUNDLE_DAMAGED` where no record stands where one must, something stands behind the last, or the
	 * digest there is another; after all records before were handed over.
	 */
	async *runs(): AsyncGenerator<readonly BundleRecord[]> {
		for (;;) {
			const run: BundleRecord[] = [];
			const fault = this.#take(run);
			if (run.length > 0) yield run;
			if (fault) throw fault;
			if (this.#digest !== undefined) return;
			await this.#fill();
		}
	}

	/** Takes the whole records out of what was read; gives what is wrong with the next, if something is. */
	#take(run: BundleRecord[]): BundleError | undefined {
		const rest = this.#rest;
		let at = 0;
		try {
			while (at + RECORD_BYTES <= rest.length) {
				const kind = rest.toString("latin1", at, at + 1);
				const length = rest.readUInt32BE(at + 1);
				const start = this.#offset - rest.length + at;
				if (!isRecordKind(kind))
					return new BundleError("BUNDLE_DAMAGED", `no record begins at byte ${start}`);
				if (length > MOST_RECORD_BYTES)
					return new BundleError("BUNDLE_DAMAGED", `the record at byte ${start} is longer than any may be`);
				if (start + RECORD_BYTES + length > this.size)
					return cutShort(`a record that begins at byte ${start} of ${this.size}`);
				if (at + RECORD_BYTES + length > rest.length) break;
				const bytes = rest.subarray(at + RECORD_BYTES, at + RECORD_BYTES + length);
				if (kind === "z") return this.#end(rest.subarray(0, at), bytes, start);
				run.push({ kind, bytes });
				at += RECORD_BYTES + length;
			}
			return undefined;
		} finally {
			if (this.#digest === undefined) this.#hash.update(rest.subarray(0, at));
			this.#rest = rest.subarray(at);
		}
	}

	#end(before: Buffer, bytes: Buffer, start: number): BundleError | undefined {
		this.#digest = this.#hash.update(before).digest("hex");
		if (bytes.length !== DIGEST_BYTES)
			return new BundleError("BUNDLE_DAMAGED", "its last record is not what was written");
		const behind = this.size - start - RECORD_BYTES - DIGEST_BYTES;
		if (behind > 0) return new BundleError("BUNDLE_DAMAGED", `${behind} bytes stand behind its end`);
		if (bytes.toString("hex") === this.#digest) return undefined;
		return new BundleError("BUNDLE_DAMAGED", "its bytes do not have the SHA-256 it ends with");
	}

	async #fill(): Promise<void> {
		const rest = this.#rest;
		const wanted = rest.length >= RECORD_BYTES ? rest.readUInt32BE(1) + RECORD_BYTES - rest.length : 0;
		const length = Math.min(this.size - this.#offset, Math.max(wanted, CHUNK_BYTES));
		if (length <= 0) throw cutShort("its last record");
		const bytes = await readAt(this.#file, this.#offset, length);
		this.#offset += bytes.length;
		this.#rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#file.close();
	}
}

/** So many bytes from a place in a file. Throws `BUNDLE_TRUNCATED` where they are not there any more. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
	const bytes = Buffer.allocUnsafeSlow(length);
	for (let done = 0; done < length; ) {
		const { bytesRead } = await file.read(bytes, done, length - done, position + done);
		if (bytesRead === 0) throw cutShort("the byte it was read to");
		done += bytesRead;
	}
	return bytes;
}

function cutShort(what: string): BundleError {
	return new BundleError("BUNDLE_TRUNCATED", `it ends before ${what} does`);
}

function named(path: string, error: unknown): unknown {
	return error instanceof BundleError
		? new BundleError(error.code, `${path}: ${error.message}`, { cause: error })
		: error;
}
