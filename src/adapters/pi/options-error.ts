/** What can be wrong with an option. The codes are API; {@link OPTIONS_ERROR_CODES} says what each means. */
export type OptionsErrorCode =
	| "OPTION_UNKNOWN"
	| "OPTION_RETIRED"
	| "OPTION_INVALID"
	| "OPTION_INCOMPLETE"
	| "OPTION_CONTRADICTORY";

/** Each code of an {@link OptionsError} and what it means, in one line. */
export const OPTIONS_ERROR_CODES: { readonly [code in OptionsErrorCode]: string } = {
	OPTION_UNKNOWN: "there is no option of this name",
	OPTION_RETIRED: "pi-fold had an option of this name; the message says what became of it",
	OPTION_INVALID: "the value is of another type or out of its range; none is ever clamped",
	OPTION_INCOMPLETE: "`thresholds` names all four numbers or is left out",
	OPTION_CONTRADICTORY: "each value would do, but not together",
};

/** An option, or a key of the settings file, that cannot be followed. */
export class OptionsError extends TypeError {
	override readonly name = "OptionsError";
	readonly code: OptionsErrorCode;
	/** name of the option, as in `thresholds.minTarget` */
	readonly option: string;

	constructor(code: OptionsErrorCode, option: string, message: string) {
		super(message);
		this.code = code;
		this.option = option;
	}
}
