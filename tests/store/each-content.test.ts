import { expect, test } from "vitest";
import { eachContent } from "../../src/store/each-content.ts";
import { StoreError } from "../../src/store/errors.ts";
import { sha256Node } from "../../src/store/hash.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { blobKey, contentKey, parseContentKey } from "../../src/store/keys.ts";
import { memoryKeyValue } from "../../src/store/memory-key-value.ts";
import { verifyKeyValue } from "../../src/store/verify.ts";
import { collect } from "./collect.ts";

const TEXTS = ["one", "two", "three", "four", "five"];
const digest = (text: string) => sha256Node(Buffer.from(text));

async function filled(): Promise<KeyValue> {
	const kv = memoryKeyValue();
	const batch = kv.batch();
	for (const [sequence, text] of TEXTS.entries()) {
		const key = contentKey(sequence);
		batch.put(blobKey(digest(text)), Buffer.from(key.subarray(1)));
		batch.put(key, Buffer.from(text));
	}
	await batch.write(false);
	return kv;
}

/** A database that cannot read the content of some numbers: scans stop there. */
function damagedAt(kv: KeyValue, code: "STORE_DAMAGED" | "STORE_UNAVAILABLE", ...bad: number[]): KeyValue {
	const refuse = (key: Uint8Array) => {
		if (key[0] === contentKey(0)[0] && bad.includes(parseContentKey(key)))
			throw new StoreError(code, "a block cannot be read");
	};
	return {
		...kv,
		get(key) {
			refuse(key);
			return kv.get(key);
		},
		async *entries(range, options) {
			for await (const chunk of kv.entries(range, { ...options, chunk: 1 })) {
				for (const [key] of chunk) refuse(key);
				yield chunk;
			}
		},
	};
}

test("content behind what cannot be read is still there, and what cannot be is named", async () => {
	const found = await collect(eachContent(damagedAt(await filled(), "STORE_DAMAGED", 1, 3), 100));
	expect(
		found.map(({ digest, bytes }) => ({ digest, text: bytes && Buffer.from(bytes).toString() })),
	).toEqual(
		TEXTS.map((text, at) => ({ digest: digest(text), text: at === 1 || at === 3 ? undefined : text })),
	);
});

test("verifying names each content that cannot be read, and looks at all others", async () => {
	const { damage, checked } = await verifyKeyValue(damagedAt(await filled(), "STORE_DAMAGED", 2), undefined, {
		blobs: true,
	});
	expect(checked.blobs).toBe(5);
	expect(damage).toEqual([
		{ part: "blob", digest: digest("three"), what: `the content stored as ${digest("three")} is unreadable` },
	]);
});

test("what the system will not let be read is no damage", async () => {
	const content = eachContent(damagedAt(await filled(), "STORE_UNAVAILABLE", 1), 100);
	await expect(collect(content)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
