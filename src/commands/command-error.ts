/** Codes of {@link CommandError} and what each means. */
export const COMMAND_ERROR_CODES = {
	FOLD_UNKNOWN: "no fold on this branch has the id",
	FOLD_PENDING: "the fold is marked and not folded yet: its messages are in view",
	FOLD_STANDING: "the fold stands already, so what is asked for marks alone comes too late",
	FOLD_NESTED: "the fold lies inside another, which must be opened first",
	FOLD_NOT_OPEN: "the fold is not open",
	ENTRY_UNKNOWN: "no message, call or fold on this branch has the id",
	COMPACTED: "a compaction took it out of the window, where nothing can bring it back",
	PIN_OVER_SHARE: "pinned content would take more than a quarter of the budget",
	RAW_OVER_SHARE: "what is to be raw again would take more than a quarter of the budget",
	BRIEF_INVALID: "a brief is too long, or says nothing",
	SPAN_INVALID: "a cut would reach into what is folded or not marked, or be too short",
	DECISION_UNKNOWN: "no decision in force has the id",
	UNDO_HAS_DEPENDENTS: "later decisions build on it; they are named",
} as const;

/** Code of a {@link CommandError}. */
export type CommandErrorCode = keyof typeof COMMAND_ERROR_CODES;

/** A call of the tool that would work instead, as its arguments. */
export type ToolCall = { readonly action: string } & Readonly<Record<string, unknown>>;

/** A command that may not happen. Nothing was written. */
export class CommandError extends Error {
	readonly code: CommandErrorCode;
	readonly instead: ToolCall | undefined;
	/** later decisions that build on the one in question, newest first */
	readonly dependents: readonly string[];

	constructor(
		code: CommandErrorCode,
		message: string,
		instead?: ToolCall,
		dependents: readonly string[] = [],
	) {
		super(message);
		this.name = "CommandError";
		this.code = code;
		this.instead = instead;
		this.dependents = dependents;
	}
}
