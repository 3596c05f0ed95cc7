import { type ComponentChildren, h } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

/** Characters of a text drawn at first, and added by each press of "Show more". */
const AT_ONCE = 20_000;

/** Characters of a line that browsers still lay out quickly. */
const LONGEST_LINE = 4_000;

interface TextBlockProps {
	readonly text: string;
	readonly label: string;
}

/** A text exactly as it is, wrapped; what has no shape of its own is spelt out. Long ones are cut with a way on. */
export function TextBlock({ text, label }: TextBlockProps): ComponentChildren {
	const [length, setLength] = useState(AT_ONCE);
	useEffect(() => setLength(AT_ONCE), [text]);
	const content = useMemo(() => pieces(wholeCharacters(text, length)), [text, length]);
	const left = text.length - length;
	return h(
		"div",
		{ class: "text" },
		h("pre", { tabIndex: 0, role: "region", "aria-label": label }, content),
		left > 0 &&
			h(
				"button",
				{ type: "button", class: "plain more", onClick: () => setLength((now) => now + 5 * AT_ONCE) },
				`Show more (${left.toLocaleString("en-US")} characters left)`,
			),
	);
}

/** The start of a text, not ending in half a character. */
function wholeCharacters(text: string, length: number): string {
	if (text.length <= length) return text;
	const last = text.charCodeAt(length - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Control and format characters: what has no shape of its own, or turns the direction of text, can lie. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A text with what cannot be seen spelt out, each such character in an element of its own; longest lines broken. */
export function pieces(text: string): ComponentChildren[] {
	const found: ComponentChildren[] = [];
	let plain = "";
	let column = 0;
	for (const character of text) {
		column = character === "\n" ? 0 : column + 1;
		const unseen = UNSEEN.test(character);
		if (!unseen) plain += character;
		if (unseen || column >= LONGEST_LINE) {
			found.push(plain);
			plain = "";
			if (unseen) found.push(h("span", { class: "unseen", title: codeOf(character) }, spelt(character)));
			else found.push(h("wbr", null));
			column = unseen ? column : 0;
		}
	}
	found.push(plain);
	return found;
}

/** ␛ for Escape and the like; the code where there is no picture. */
function spelt(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	return code === 0x7f ? "\u2421" : `‹${codeOf(character)}›`;
}

function codeOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
