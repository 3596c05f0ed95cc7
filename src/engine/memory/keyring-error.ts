/** What can be wrong with the keys that prove who wrote what is remembered. */
export type KeyringErrorCode = "KEYRING_DAMAGED" | "KEYRING_UNAVAILABLE";

/** Each code of a {@link KeyringError} and what it means, in one line. */
export const KEYRING_ERROR_CODES: { readonly [code in KeyringErrorCode]: string } = {
	KEYRING_DAMAGED:
		"the keyring is not what was written; it is left as it is, and nothing is signed until it is put right or moved away",
	KEYRING_UNAVAILABLE: "the system would not let the keyring be read or written",
};

/** A keyring that could not be used. */
export class KeyringError extends Error {
	override readonly name = "KeyringError";
	readonly code: KeyringErrorCode;

	constructor(code: KeyringErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
