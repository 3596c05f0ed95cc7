import fc from "fast-check";
import { expect, test } from "vitest";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";

const CONTENTS = Array.from({ length: 12 }, (_, n) => {
	const bytes = Buffer.from(`content ${n}`);
	return { digest: sha256Node(bytes), bytes };
});

test("content is had by its digest in whatever order it is asked for, and none that was shredded", async () => {
	const place = fc.nat(CONTENTS.length - 1);
	// mostly in order, as whoever reads a stream does
	const asked = fc.array(fc.tuple(place, fc.integer({ min: 1, max: 6 })), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(fc.uniqueArray(place), asked, async (shredded, runs) => {
			const store = openMemoryStore({ registry: REGISTRY });
			await store.keep(CONTENTS);
			const gone = shredded.map((n) => CONTENTS[n]?.digest as string);
			await store.append("stream", [], 0, { shred: gone });
			for (const [from, count] of runs) {
				for (const { digest, bytes } of CONTENTS.slice(from, from + count))
					expect(store.blob(digest)).toEqual(gone.includes(digest) ? undefined : bytes);
			}
		}),
	);
});
