import { TASK } from "../memory/durability-words.ts";

/** What a message must say to be a request whatever its words, in letters; a sign of a script without spaces counts as three. */
const LETTERS = 12;
/** Longest sentence that is a rule by how it begins, characters. */
const RULE = 60;

/** Further verbs by which a short request begins. */
const VERB =
	/^(?:please |bitte )?(?:run|use|keep|write|set|put|commit|push|merge|rebase|revert|undo|redo|install|start|stop|restart|deploy|release|publish|drop|bump|split|format|lint|document|clean|read|open|close|convert|extract|port|upgrade|downgrade|pin|avoid|leave|skip|ignore|enable|disable|simplify|inline|sort|print|log|list|copy|rewrite|rework|reduce|cache|mock|benchmark|profile|teste?|nutze|verwende|benutze|behalte|lass|schreibe?|starte|mach)(?!\p{L})/iu;
/** Words that say what is allowed. */
const RULING =
	/(?<!\p{L})(?:only|never|always|without|don['’]?t|do not|nur|nie|immer|ohne|keine?[nr]?)(?!\p{L})/iu;
/** What asks for nothing that could be told later. */
const EMPTY =
	/^(?:please |bitte )?(?:\p{L}+ (?:it|that|this|so|them|on|again|going|now|above|below|es|das|weiter|nochmal|please|bitte|me|us)|(?:please|bitte) \p{L}+|(?:[\p{L}'’]+ ){0,2}(?:thanks?|thx|danke|worry|mind|bother|problem|ahnung|idea|sorge))[\s.!…]*$/iu;
/** A file, or a path with folders. */
const PATH =
	/(?:^|\s)(?:[\w@.~-]*\/)*[\w@-]{2,}\.[A-Za-z][A-Za-z\d]{0,4}(?![\w.])|(?:^|\s)[\w@.~-]*\/[\w@.-]+\/\S/;
/** How a short rule reads. */
const SHORT_RULE =
	/^(?:please )?(?:use|touch|change|edit)(?!\p{L}).*(?<!\p{L})only[.!]?\s*$|^(?:please )?(?:only (?:use|touch|change|edit)|keep (?!going|on(?!\p{L})|it up|at it|trying|working|looking|me|us|reading)).*\S/iu;

/** Whether a message, on one line, asks for something: not whether it only says that things may go on. */
export function isRequest(text: string): boolean {
	if (lettersIn(text) >= LETTERS) return true;
	if (PATH.test(text)) return true;
	if (!/\S\s+\S/.test(text) || EMPTY.test(text)) return false;
	return TASK.test(text.toLowerCase()) || VERB.test(text) || RULING.test(text);
}

/** Whether a short sentence lays down what is to stay as it is, or the only thing that may be. */
export function isShortRule(sentence: string): boolean {
	return sentence.length <= RULE && SHORT_RULE.test(sentence);
}

function lettersIn(text: string): number {
	let letters = 0;
	for (const sign of text) {
		if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(sign)) letters += 3;
		else if (/[\p{L}\p{N}]/u.test(sign)) letters++;
	}
	return letters;
}
