import { charClass, classes, SECOND } from "./characters.ts";

/** Lists are made for so many code units at first. */
const FIRST = 1024;

/**
 * A text as terms are looked for in it, by code unit: NFKC, in lower case, and what each character is to a word with its
 * capitals, which tell the parts of `camelCase`. The lists are used again for the next text.
 */
export class Units {
	/** how many there are; what stands behind them in the lists is left from a text before */
	length = 0;
	/** the code units, in lower case */
	lower = new Uint16Array(FIRST);
	/** what the character is that begins at each, or `SECOND` */
	kinds = new Uint8Array(FIRST);

	/** Takes the place of the text before. */
	read(text: string): void {
		const { length } = text;
		this.#grow(length);
		const { lower, kinds } = this;
		for (let at = 0; at < length; at++) {
			const unit = text.charCodeAt(at);
			if (unit > 0x7f) {
				this.#readAny(text.normalize("NFKC"));
				return;
			}
			kinds[at] = classes[unit] as number;
			lower[at] = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
		}
		this.length = length;
	}

	#readAny(text: string): void {
		const small = text.toLowerCase();
		// a letter that grows in lower case would shift all behind it; without capitals only parts are lost
		const cased = small.length === text.length ? text : small;
		const { length } = small;
		this.#grow(length);
		const { lower, kinds } = this;
		for (let at = 0; at < length; at++) {
			lower[at] = small.charCodeAt(at);
			kinds[at] = charClass(cased, at);
			if ((cased.codePointAt(at) as number) <= 0xffff) continue;
			at += 1;
			lower[at] = small.charCodeAt(at);
			kinds[at] = SECOND;
		}
		this.length = length;
	}

	#grow(length: number): void {
		if (length <= this.lower.length) return;
		const size = 2 ** Math.ceil(Math.log2(length));
		this.lower = new Uint16Array(size);
		this.kinds = new Uint8Array(size);
	}
}
