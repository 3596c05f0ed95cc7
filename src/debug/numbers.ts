/** Rounded, with thousands set apart by commas; the same in every locale. */
export function whole(value: number): string {
	return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Two digits behind the point, four below 1, without trailing zeros; whole from 1,000 on. */
export function decimal(value: number): string {
	if (Math.abs(value) >= 1000) return whole(value);
	const text = value.toFixed(Math.abs(value) >= 1 ? 2 : 4);
	return text.replace(/\.?0+$/, "");
}

/** A share as a percentage, to a tenth. */
export function percent(share: number): string {
	return `${(share * 100).toFixed(1).replace(".0", "")}%`;
}

/** A number and what is counted, in the plural where it is not one. */
export function count(n: number, noun: string): string {
	return `${whole(n)} ${n === 1 ? noun : `${noun.replace(/y$/, "ie")}s`}`;
}

/** Three significant digits with K or M: 812, 54.4K, 1.27M. */
export function compact(value: number): string {
	if (value < 999.5) return whole(value);
	const [scaled, unit] = value < 999_500 ? [value / 1e3, "K"] : [value / 1e6, "M"];
	return `${scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0)}${unit}`;
}

/** Digits behind the point of an amount below ten cents, unless asked otherwise. */
const DIGITS = 3;

/** An amount of money: cents from ten cents on, finer below; what is too small even for that is said to be. */
export function dollars(amount: number, digits = DIGITS): string {
	const size = Math.abs(amount);
	if (size === 0) return "$0.00";
	if (isTooSmall(amount, digits)) return `less than $${(10 ** -digits).toFixed(digits)}`;
	return `${amount < 0 ? "-" : ""}$${size.toFixed(size < 0.1 ? digits : 2)}`;
}

/** An estimated amount of money, to follow "for" or "saves". */
export function aboutDollars(amount: number): string {
	return `${isTooSmall(amount, DIGITS) ? "" : "about "}${dollars(amount)}`;
}

/** Whether so many digits behind the point would all be zeros. */
function isTooSmall(amount: number, digits: number): boolean {
	return Number(amount.toFixed(digits)) === 0;
}

/** Bytes in KB or MB of a thousand. */
export function byteSize(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	return bytes < 999_950 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
