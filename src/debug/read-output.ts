import type { KeptOutput } from "../../projections/outputs.ts";
import { type BytePart, behindEachOther } from "./byte-parts.ts";

/** Content by its digest, checked against it; absent where it is not stored. */
export type ReadContent = (digest: string) => Uint8Array | undefined;

/**
 * A whole output that was kept, byte for byte as the tool made it. A reading takes in the pieces it reaches and no
 * others; it throws a `RangeError` where one is no longer stored, and what `content` throws where one was altered.
 */
export function outputPart(output: KeptOutput, content: ReadContent): BytePart {
	const { entry, bytes, piece, pieces } = output;
	return behindEachOther(
		pieces.map((digest, index) => {
			const size = Math.min(piece, bytes - index * piece);
			return {
				bytes: size,
				read: (from, to) => {
					const stored = content(digest);
					if (stored?.length === size) return stored.subarray(from, to);
					throw new RangeError(
						`of the whole output behind ${entry}, ${size} bytes from byte ${index * piece} on are no longer stored`,
					);
				},
			};
		}),
	);
}
