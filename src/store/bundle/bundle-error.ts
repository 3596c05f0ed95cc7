/** What can be wrong with a bundle. The codes are API; {@link BUNDLE_ERROR_CODES} says what each means. */
export type BundleErrorCode =
	| "BUNDLE_UNRECOGNISED"
	| "BUNDLE_NEWER"
	| "BUNDLE_TRUNCATED"
	| "BUNDLE_DAMAGED"
	| "BUNDLE_EXISTS";

/** Each code of a {@link BundleError} and what it means, in one line. */
export const BUNDLE_ERROR_CODES: { readonly [code in BundleErrorCode]: string } = {
	BUNDLE_UNRECOGNISED: "the file does not begin as a bundle does",
	BUNDLE_NEWER: "the bundle was written in a newer format than this release reads",
	BUNDLE_TRUNCATED: "the bundle ends before its end; the message says behind what",
	BUNDLE_DAMAGED: "something in the bundle is not what was written; the message says where",
	BUNDLE_EXISTS:
		"something stands where the bundle is to go; `--force` puts it in the place of a file, and of nothing else",
};

/** A bundle that cannot be read, or not be written. */
export class BundleError extends Error {
	override readonly name = "BundleError";
	readonly code: BundleErrorCode;

	constructor(code: BundleErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
