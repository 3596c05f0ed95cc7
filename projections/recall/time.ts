const TIME =
	/^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

/** The basic format: without dashes and colons, and of a day at least. */
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/**
 * A time typed as ISO 8601, in ms since the epoch; UTC unless it says otherwise, so that it means the same everywhere.
 * `asEnd` takes the last millisecond of a year, a month or a day. `undefined` for what is no time. Twelve digits or more are ms.
 */
export function timeIn(typed: string, asEnd = false): number | undefined {
	if (/^\d{12,15}$/.test(typed)) return Number(typed);
	const [found, year, month, day, hour, minute, second, fraction, zone] =
		TIME.exec(typed) ?? BASIC.exec(typed) ?? [];
	if (found === undefined) return undefined;
	const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)];
	if (m < 1 || m > 12 || d < 1 || d > daysIn(y, m)) return undefined;
	const start = dayNumber(y, m, d) * DAY;
	if (hour === undefined) {
		if (!asEnd) return start;
		if (month === undefined) return dayNumber(y + 1, 1, 1) * DAY - 1;
		return start + (day === undefined ? daysIn(y, m) : 1) * DAY - 1;
	}
	const [h, min, s] = [Number(hour), Number(minute), Number(second ?? 0)];
	if (h > 23 || min > 59 || s > 59) return undefined;
	const ms = Number((fraction ?? "").padEnd(3, "0"));
	return start + (h * 60 + min - offsetOf(zone)) * MINUTE + s * 1000 + ms;
}

function offsetOf(zone: string | undefined): number {
	if (zone === undefined || zone.toUpperCase() === "Z") return 0;
	const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
	return zone.startsWith("-") ? -minutes : minutes;
}

function daysIn(year: number, month: number): number {
	if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
	return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days since 1970-01-01. The year is counted from March, so that the leap day is its last. */
function dayNumber(year: number, month: number, day: number): number {
	const y = month > 2 ? year : year - 1;
	const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
	return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
