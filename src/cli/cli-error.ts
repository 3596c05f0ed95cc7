/**
 * Why the command line could not do what was asked, and what each code means. The codes are API, the wording is not.
 */
export const cliErrorCodes = {
	CLI_USAGE: "an option or argument is missing, unknown or out of its range",
	CLI_NO_STORE: "nothing at this place is a store, and no replay of this session has left one",
	CLI_NO_SUCH_MODEL: "the host's catalogue has no model of this name",
	CLI_NO_SUCH_ID:
		"the store knows no entry, fold, decision or content of this id, nor the text where one was asked for",
	CLI_NO_SUCH_REQUEST: "the session made no request of this number",
	CLI_WINDOW_DIFFERS: "the window rebuilt from the log is not the one that was recorded",
	CLI_CONTENT_GONE: "the content was shredded, or never stored",
	CLI_NO_MEMORY: "nothing is remembered for this folder",
	CLI_MEMORY_TAKEN: "the folder has a memory of its own already",
	CLI_NOT_A_MEMORY: "the file is neither an export of memory nor a log of pi-compact's memory",
	CLI_MEMORY_NOT_WHOLE: "lines of an export are missing or were changed; --partial takes in what is there",
	CLI_NO_SUCH_FILE: "no file stands at this path",
	CLI_NOT_CONFIRMED: "a repair or an undo was not agreed to; pass --yes",
	CLI_SYSTEM: "the system refused a file or folder; the message names both",
	CLI_OLD_NODE: "this Node is older than the release needs",
} as const;

/** One of the reasons a command stops. */
export type CliErrorCode = keyof typeof cliErrorCodes;

/** A command that could not be carried out: what is wrong is in `code`. */
export class CliError extends Error {
	override readonly name = "CliError";
	readonly code: CliErrorCode;

	constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
