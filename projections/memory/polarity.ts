/**
 * How a sentence stands to what it is about, by its words alone, in English, German, French, Spanish, Chinese and
 * Japanese: it demands it, forbids or denies it, or does neither.
 */
export type Polarity = "demands" | "forbids" | "neither";

/** Whether a sentence demands, forbids, or does neither. One that forbids forgetting something demands it. */
export function polarityOf(sentence: string): Polarity {
	const lower = sentence.toLowerCase();
	const left = lower.replace(FORGETTING, " ");
	if (left.replace(NOT_ONLY, " ").replace(OBLIGED, " ").search(FORBIDDING) !== -1) return "forbids";
	return left !== lower || left.search(OBLIGED) !== -1 || left.search(DEMANDING) !== -1
		? "demands"
		: "neither";
}

/** Whether a sentence lays down what must or must not be; looser talk, such as what is not so, does not count. */
export function isConstraint(sentence: string): boolean {
	return sentence.toLowerCase().search(CONSTRAINING) !== -1;
}

/** Whether a sentence says that something is to be used, or preferred. */
export function speaksOfUse(sentence: string): boolean {
	return sentence.toLowerCase().search(USING) !== -1;
}

/** A sentence in lower case without the words that demand, forbid or tell of use: what it is about. */
export function subjectOf(sentence: string): string {
	let left = sentence.toLowerCase();
	for (const words of [FORGETTING, NOT_ONLY, OBLIGED, FORBIDDING, DEMANDING, USING, FILLING])
		left = left.replace(words, " ");
	return left.replace(PARTICLE, " ").replace(/\s+/g, " ").trim();
}

/** Latin words stand alone, and not as a part of `no-op`; others stand anywhere. */
function words(latin: readonly string[], others: readonly string[]): RegExp {
	const alone = `(?<![\\p{L}\\p{N}_-])(?:${latin.join("|")})(?![\\p{L}\\p{N}_-])`;
	return new RegExp([alone, ...others].join("|"), "gu");
}

const FORGETTING = words(
	[
		"(?:never|do not|don['’]?t) (?:forget|omit|skip)(?: to)?",
		"vergiss nicht|(?:nicht|nie) (?:vergessen|auslassen)",
		"n['’]oublie[zr]?(?: pas| jamais)?(?: de)?",
		"(?:no|nunca) olvid(?:es|e|ar|en)(?: de)?",
	],
	["(?:不要|别|別|勿)忘(?:记|記|了)?", "忘れ(?:ない(?:で(?:ください)?|こと|ように)?|ず(?:に)?)"],
);

const NOT_ONLY = words(
	["not only", "nicht nur", "pas seulement|non seulement", "no s[oó]lo"],
	["不仅|不只|だけでなく"],
);

/** Negations that oblige. */
const OBLIGED =
	/な(?:ければ|くては)(?:なら(?:ない|ず)|なりません|いけ(?:ない|ません))|ないといけ(?:ない|ません)|ねばなら(?:ない|ず)/gu;

const FORBIDDING = words(
	[
		"never|not|no longer|no|don['’]?t|doesn['’]t|mustn['’]t|shouldn['’]t|isn['’]t|aren['’]t|won['’]t|can['’]t|cannot|avoid(?:s|ing)?|forbidden|prohibited|refrain from",
		"do not|does not|must not|must never|should not|should never|shall not|may not|can not|stop using",
		"nie|niemals|nicht|kein(?:e[nmrs]?)?|keinesfalls|vermeide[nt]?|verboten|untersagt",
		"ne|pas|jamais|aucune?|évite[rz]?|interdite?s?",
		"nunca|jamás|evit(?:a|ar|e|en|es)|prohibid[oa]s?",
	],
	[
		"(?<=^|[^\\p{L}\\p{N}_])n['’](?=\\p{L})",
		"永远不要?|永遠不要?|从来不|從來不|从不|從不|绝不|絕不|永不|不再|不要|请勿|請勿|不得|不能|不可以?|不准|不许|不許|不应该?|不應該?|不是|禁止|严禁|嚴禁|避免|不(?=使用|用|采用)|勿|(?<![特区分级类个性识判告辨])别(?!名|的|人|处)",
		"決して|けっして|てはいけ(?:ない|ません)|てはなら(?:ない|ず)|べきではない|ないで(?:ください|下さい)?|ない(?:こと|ように)?|ません|避け(?:る|て)?|やめ(?:る|て)",
	],
);

const DEMANDING = words(
	[
		"always|must|shall|should|ha(?:ve|s) to|needs? to|required?|requires|make sure(?: to| that)?|be sure to|ensures?|mandatory",
		"immer|stets|muss|müssen|musst|soll(?:en|te|ten)?|erfordert|unbedingt|zwingend|grundsätzlich",
		"toujours|doi(?:t|s|vent)|devez|il faut|exige|requise?|obligatoire(?:ment)?|impérativement",
		"siempre|deb(?:e|en|es|emos)|hay que|tienen? que|requieren?|obligatori[oa]|es necesario",
	],
	[
		"必须|必須|必需|一定要?|务必|務必|始终|始終|总是|總是|应该?|應該?|应当|需要|永远|永遠|一律|都要",
		"必ず|常に|いつも|絶対に|べき(?:だ|です)?|必要(?:が(?:ある|あります))?",
	],
);

const USING = words(
	[
		"use[sd]?|using|prefer(?:s|red|ably)?|adopt|stick (?:to|with)|go with|switch to",
		"(?:be)?nutz(?:e|t|en)|verwend(?:e|et|en)|nimm|nehm(?:e|t|en)|bevorzug(?:e|t|en)|setz(?:e|t|en)(?= auf)",
		"utilis(?:e|es|ez|er|ons|ent)|préf(?:ère|ères|érer|érez|érons)|emploie[sz]?|employ(?:er|ez)",
		"us(?:a|ar|as|amos|an|es|en|emos)|utili(?:za|zar|zas|zamos|zan|ce|ces|cen)|prefi(?:ere|eres|ero|eran)|prefer(?:ir|imos)|emplear?",
	],
	[
		"使用|采用|採用|改用|选用|選用|统一用|優先|优先|用",
		"を?使(?:います|いま|用(?:します|してください|する|して|し)?|ってください|って|う|い|わ)|を?用いる?|を?利用(?:する|して|し)?",
	],
);

/** Words that a sentence is about the same without. */
const FILLING = words(
	[
		"please|in (?:this|our|the) (?:project|repo|repository|codebase)|from now on|by default|default|now|only",
		"bitte|in diesem projekt|ab jetzt|ab sofort|standardmäßig|nur|ausschließlich",
		"s['’]il (?:te|vous) plaît|dans ce projet|désormais|par défaut|seulement|uniquement",
		"por favor|en este proyecto|a partir de ahora|por defecto|s[oó]lo|solamente|únicamente",
	],
	[
		"(?:在)?(?:本|这个|該)项目(?:中|里)?|请|請|以后|默认(?:情况下)?",
		"このプロジェクトで?は?|してください|ください|今後は|(?<=[\\p{Script=Han}\\p{Script=Katakana}])(?:すること|する|して|します|しま|し)(?=\\s|[。、]|$)",
	],
);

/** A particle that stands between what is no hiragana. */
const PARTICLE = /(?<=[^\p{Script=Hiragana}])[はがをにでのとも](?=[^\p{Script=Hiragana}]|$)/gu;

const CONSTRAINING = words(
	[
		"must|never|always|requires?|required|do not|don['’]?t|shall|mandatory|forbidden",
		"muss|müssen|musst|nie|niemals|immer|stets|nicht|kein(?:e[nmrs]?)?|darf|dürfen|erfordert|verboten|zwingend",
		"doi(?:t|s|vent)|devez|jamais|toujours|il faut|ne|exige|requise?|interdite?s?|obligatoire",
		"deb(?:e|en|es|emos)|nunca|jamás|siempre|requieren?|hay que|prohibid[oa]s?|obligatori[oa]|no (?:uses?|usar|hagas?|hacer|pongas?|toques?|cambies?|borres?|modifiques?|ejecutes?|\\p{L}+(?:ar|er|ir))",
	],
	[
		"(?<=^|[^\\p{L}\\p{N}_])n['’](?=\\p{L})",
		"必须|必須|必需|务必|務必|禁止|严禁|嚴禁|不要|不得|不能|不可|不准|不许|勿|始终|始終|总是|總是|从不|從不|绝不|絕不|一律|(?<![特区分级类个性识判告辨])别(?!名|的|人|处)",
		"必ず|常に|決して|てはいけ|てはなら|ないで|ないこと|しない|なければ|ねばなら|ないといけ|必要|べき",
	],
);
