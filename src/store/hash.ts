import { hash } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";

/** SHA-256 of some bytes, as 64 lower-case hex digits. */
export type Sha256 = (bytes: Uint8Array) => string;

/** SHA-256 in JavaScript: 2 µs for a small event, and the same everywhere. The live chain uses it. */
export const sha256Noble: Sha256 = (bytes) => {
	const digest = sha256(bytes);
	return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString("hex");
};

/** SHA-256 in one native call, six times quicker on small events and eight on large content. Bulk work uses it. */
export const sha256Node: Sha256 = (bytes) => hash("sha256", bytes, "hex");
