import { describe, expect, test } from "vitest";
import { sha256Noble, sha256Node } from "../../src/store/hash.ts";

/** Written out from FIPS 180-4's examples and NIST's byte test vectors; lengths around a block of 64 bytes are where padding goes wrong. */
const VECTORS: readonly [name: string, bytes: Buffer, digest: string][] = [
	["nothing", Buffer.alloc(0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
	["abc", Buffer.from("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
	[
		"two blocks",
		Buffer.from("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	],
	[
		"a million a",
		Buffer.alloc(1_000_000, "a"),
		"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	],
	["55 a", Buffer.alloc(55, "a"), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"],
	["56 a", Buffer.alloc(56, "a"), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"],
	["63 a", Buffer.alloc(63, "a"), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"],
	["64 a", Buffer.alloc(64, "a"), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"],
	["65 a", Buffer.alloc(65, "a"), "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"],
];

describe.each([
	["noble", sha256Noble],
	["node", sha256Node],
])("SHA-256 by %s", (_, sha256) => {
	test.each(VECTORS)("of %s is the published one", (_name, bytes, digest) => {
		expect(sha256(bytes)).toBe(digest);
	});

	test("covers the bytes of a view and not the buffer behind it", () => {
		const whole = Buffer.from("xxabcxx");
		expect(sha256(whole.subarray(2, 5))).toBe(VECTORS[1]?.[2]);
		expect(sha256(new Uint8Array(whole).subarray(2, 5))).toBe(VECTORS[1]?.[2]);
	});
});
