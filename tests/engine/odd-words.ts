/** Ids that are names or indices to JavaScript. */
export const ODD_IDS = ["constructor", "0", "__proto__", "7", "toString", "4294967294", "hasOwnProperty"];

/** What made-up messages are written with: names, commands, a line's end. */
export const WORDS = [
	"src/log.ts",
	"parseHead",
	"npm test",
	"retry",
	"E_LOCKED",
	"the",
	"window of",
	"line 42\n",
	"--all",
];
