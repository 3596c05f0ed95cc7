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
	#bytes = new Uint8Array(FIRST);

	/** Takes the place of the text before. */
	read(text: string): void {
		const { length } = text;
		this.#grow(length);
		// a fifth of the time it takes to ask the text for each unit; any character but ASCII takes more bytes than units
		const { read, written } = encoder.encodeInto(text, this.#bytes);
		if (read === length && written === length) this.#readAscii(length);
		else this.#readAny(text.normalize("NFKC"));
	}

	#readAscii(length: number): void {
		const { lower, kinds } = this;
		const bytes = this.#bytes;
		for (let at = 0; at < length; at++) {
			const unit = bytes[at] as number;
			kinds[at] = classes[unit] as number;
			lower[at] = SMALL[unit] as number;
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
			const unit = cased.charCodeAt(at);
			lower[at] = small.charCodeAt(at);
			kinds[at] = unit < 0x80 ? (classes[unit] as number) : charClass(cased, at);
			if (unit < 0xd800 || (cased.codePointAt(at) as number) <= 0xffff) continue;
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
		this.#bytes = new Uint8Array(size);
	}
}

const encoder = new TextEncoder();

/** ASCII in lower case. */
const SMALL = Uint8Array.from({ length: 0x80 }, (_, unit) =>
	unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit,
);
