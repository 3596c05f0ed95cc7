import type { Damage } from "../store.ts";
import { BundleCheck, type BundleCounts, type BundledItem } from "./bundle-check.ts";
import { BundleError } from "./bundle-error.ts";
import type { BundleHeader } from "./bundle-format.ts";
import { BundleSource } from "./bundle-source.ts";

/** What a bundle held. */
export interface BundleRead {
	readonly header: BundleHeader;
	readonly counts: BundleCounts;
	/** everything found wrong: the first fault of each stream, and every fault elsewhere */
	readonly damage: readonly Damage[];
	/** why it could not be read to its end; absent where it was */
	readonly cut?: BundleError;
	/** hex SHA-256 of the bundle, by which it ends; absent where that was not reached */
	readonly digest: string | undefined;
}

/** What becomes of the parts of a bundle. */
export interface BundleReader {
	/** told of each part, which may still turn out to be damaged */
	readonly take: (item: BundledItem) => void;
	/** waited for after every megabyte or so of the file, with the bytes read of it, and after 16 of contents */
	readonly pause?: (bytes: number) => Promise<void>;
}

/** Bytes of contents handed over before it is waited: a megabyte of the file may be inflated to a thousand. */
const MOST_HELD = 16 << 20;

/**
 * Reads a bundle once, a chunk at a time, and checks everything on the way: each chain from its first event to its head,
 * each content against its digest, and the digest of the whole. Throws `BUNDLE_UNRECOGNISED` and `BUNDLE_NEWER`, `BUNDLE_TRUNCATED` and
 * `BUNDLE_DAMAGED` where its header cannot be read, and what the system says; anything else that is wrong is among the damage.
 */
export async function readBundle(file: string, { take, pause }: BundleReader): Promise<BundleRead> {
	await using source = await BundleSource.open(file);
	const { header } = source;
	const check = new BundleCheck(header);
	let cut: BundleError | undefined;
	try {
		for await (const run of source.runs()) {
			let held = 0;
			for (const record of run) {
				for (const item of check.take(record)) {
					take(item);
					held += item.kind === "content" ? item.bytes.length : 0;
				}
				if (held < MOST_HELD) continue;
				held = 0;
				await pause?.(source.offset);
			}
			await pause?.(source.offset);
		}
	} catch (error) {
		if (!(error instanceof BundleError)) throw error;
		cut = error;
	}
	check.end(cut);
	const { damage, counts } = check;
	return { header, counts, damage, digest: source.digest, ...(cut && { cut }) };
}
