/**
 * Words that hold a sentence together and say nothing of what it is about, English and German, in lower case. In a
 * question they say only how it was asked.
 */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
	(
		"about all also an and any are as at be been but by can could did do does for from had has have how if in into is it " +
		"its me my no not of on or our should so than that the their them then there these they this those to us was we were " +
		"what when where which who why will with would yes you your " +
		"aber alle als am auch auf aus bei bis da damit das dass dem den denn der des die dies diese dieser doch ein eine " +
		"einem einen einer es für haben hat hatte ich im ist ja kann man mit nach nicht noch nun nur ob oder sich sie sind " +
		"so über um und uns vom von vor wann war waren warum was wenn wer werden wie wieder wir wird wo wurde zu zum zur"
	).split(" "),
);
