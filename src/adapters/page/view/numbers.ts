const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** 12,345 */
export function count(value: number): string {
	return whole.format(value);
}

/** Tokens in a few characters: 845, 12.3k, 160k, 1.25M. */
export function short(value: number): string {
	const size = Math.abs(value);
	if (size < 1000) return String(Math.round(value));
	if (size < 99_950) return `${trimmed(value / 1000, 1)}k`;
	if (size < 999_500) return `${Math.round(value / 1000)}k`;
	return `${trimmed(value / 1_000_000, 2)}M`;
}

/** Money in the unit of the session: dollars, or tokens of input where nothing is priced. */
export function money(value: number, unit: "usd" | "token"): string {
	if (unit === "token") return `${short(value)} tok`;
	const size = Math.abs(value);
	const digits = size >= 1000 ? 0 : size === 0 || size >= 1 ? 2 : size >= 0.01 ? 3 : 4;
	const sign = value < 0 ? "−" : "";
	return `${sign}$${digits === 0 ? whole.format(size) : size.toFixed(digits)}`;
}

/** Money along an axis: no more digits than tell its steps apart. */
export function axisMoney(value: number, unit: "usd" | "token"): string {
	if (value === 0) return "";
	if (unit === "token" || value >= 10_000) return `${unit === "usd" ? "$" : ""}${short(value)}`;
	return `$${trimmed(value, 4).replace(/(\.\d*?)0+$/, "$1")}`;
}

/** Time of day of a moment, ms since the epoch. */
export function timeOf(at: number): string {
	return clock.format(at);
}

/** Day of a moment, ms since the epoch. */
export function dayOf(at: number): string {
	return day.format(at);
}

/** "1 request", "2,000 requests", "3 entries" */
export function counted(value: number, noun: string): string {
	const many = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
	return `${count(value)} ${value === 1 ? noun : many}`;
}

function trimmed(value: number, digits: number): string {
	return value.toFixed(digits).replace(/\.0+$/, "");
}
