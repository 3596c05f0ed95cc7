/**
 * What a piece of evidence is of: `goal`, what the user asked for; `decision`, what the user decided or forbade; `open`,
 * what was said to be still to do; `error`; `tests`, a run that counted tests; `changed` and `read`, a file; `command`,
 * any other run.
 */
export type Category = "goal" | "decision" | "open" | "error" | "tests" | "changed" | "command" | "read";

/** The categories, in the order a summary lists them. */
export const CATEGORIES: readonly Category[] = [
	"goal",
	"decision",
	"open",
	"error",
	"tests",
	"changed",
	"command",
	"read",
];

/** Tests that a run counted; what it did not say is absent. */
export interface TestCounts {
	readonly passed?: number;
	readonly failed?: number;
}

/**
 * One thing a session did or was told, as an excerpt of the entry it stands in. Plain data, made for JSON; an excerpt,
 * never a conclusion.
 */
export interface Evidence {
	readonly category: Category;
	/** id of the entry it stands in */
	readonly entry: string;
	/**
	 * at most 240 characters on one line, no secret in it; the path of a file; empty where a list of things to do has
	 * nothing open any more
	 */
	readonly text: string;
	/** errors: digest of the line; runs: of the command without what only shortens its output. It tells them from others */
	readonly digest?: string;
	/** runs, errors: digest of the command to the letter */
	readonly as?: string;
	/** errors: digest of the run they came from; `open`: what keeps the list, where it is one that is written anew */
	readonly of?: string;
	/** errors: the run they came from, in short */
	readonly during?: string;
	/** runs: the exit code, where one was told */
	readonly exit?: number;
	/** runs: whether it failed; absent where no result came */
	readonly failed?: boolean;
	/** runs: how it ended is how the last of several commands did */
	readonly piped?: boolean;
	/** tests: what was counted */
	readonly counts?: TestCounts;
	/** runs: digests of the errors in its output */
	readonly shows?: readonly string[];
	/** runs: its output holds more errors than `shows` does */
	readonly showsMore?: boolean;
	/** errors: the later run of the same that went well, or that did not show it any more */
	readonly gone?: string;
	/** pieces of its category that were left out before it; of the first goal, behind it; some may have come again */
	readonly left?: number;
}

/** Longest excerpt, characters. */
export const EXCERPT_CHARS = 240;
/** Longest excerpt of a command, and of what a tool said, characters. */
export const SHORT_EXCERPT_CHARS = 160;
/** Most pieces of evidence that are kept of a cut. */
export const CUT_EVIDENCE = 48;
/** Most pieces of evidence that are kept of a group of cuts. */
export const GROUP_EVIDENCE = 200;
/** Most pieces of evidence a summary can be asked for. */
export const MAX_EVIDENCE = 500;
