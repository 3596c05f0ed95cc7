/**
 * How much it says that a document holds a term which so many of all hold: BM25's measure, in bits, with straight lines
 * between powers of two for the logarithm, so that every machine gives the same. More than 0, up to 32.
 */
export function rarityOf(frequency: number, count: number): number {
	const ratio = (count + 1) / (frequency + 0.5);
	const whole = 31 - Math.clz32(ratio);
	return whole + ratio / (1 << whole) - 1;
}
