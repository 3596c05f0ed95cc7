import { sha256Node } from "../../store/hash.ts";

/** Hex SHA-256 of a text's UTF-8. */
export function hashText(text: string): string {
	return sha256Node(Buffer.from(text));
}
