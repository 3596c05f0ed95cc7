/** Why a replay could not go on, and what each code means. The codes are API, the wording is not. */
export const replayErrorCodes = {
	REPLAY_STORE_TAKEN: "the folder holds something else than a replay of this session",
} as const;

/** One of the reasons a replay stops. */
export type ReplayErrorCode = keyof typeof replayErrorCodes;

/** A replay that could not be made. */
export class ReplayError extends Error {
	override readonly name = "ReplayError";
	readonly code: ReplayErrorCode;

	constructor(code: ReplayErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
