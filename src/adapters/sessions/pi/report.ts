/** Why bytes of a session gave no entry. */
export const quarantineReasons = {
	"bad-escape": "not JSON: a string holds an escape that JSON does not know",
	truncated: "not JSON: the object is never closed",
	unterminated: "the last line has no line end and is no whole object: a write that was cut or is under way",
	malformed: "not JSON for another reason",
	"nul-gap": "a run of NUL bytes, as a crash of the machine leaves behind",
	"too-long": "longer than the reader holds in memory",
	"not-an-entry": "JSON, but no object with a type",
} as const;

/** One of the reasons in `quarantineReasons`. */
export type QuarantineReason = keyof typeof quarantineReasons;

/** Bytes that gave no entry. They stay in the source, at this place. */
interface Quarantined {
	/** 1-based */
	readonly line: number;
	/** place of the first byte in the file */
	readonly offset: number;
	/** length in bytes */
	readonly bytes: number;
	/** hex SHA-256 of those bytes */
	readonly digest: string;
	readonly reason: QuarantineReason;
}

/** A broken line of which whole entries were read. */
interface SalvagedLine {
	/** 1-based */
	readonly line: number;
	/** whole objects found on it */
	readonly objects: number;
}

/** An entry whose parent the file does not hold; it was put behind another one, so that the path stays whole. */
interface Reparented {
	/** 1-based */
	readonly line: number;
	readonly id: string;
	/** the parent it names, if it names one */
	readonly named?: string;
	/** the parent it got; `null` where no entry came before */
	readonly parent: string | null;
	/** `quarantined`: the parent that a quarantined entry of that id names; `previous`: the entry before it in the file */
	readonly by: "quarantined" | "previous";
}

/** An entry with the id of an earlier one; it got another id. */
interface Repeated {
	/** 1-based */
	readonly line: number;
	/** the id it names */
	readonly id: string;
	/** the id it got */
	readonly renamed: string;
}

/** What a pass over a session found. Filled while entries are read, complete when they end. */
export interface SessionReport {
	/** entries read */
	entries: number;
	/** bytes of the file gone through */
	bytesRead: number;
	readonly quarantined: Quarantined[];
	readonly salvaged: SalvagedLine[];
	readonly reparented: Reparented[];
	readonly repeated: Repeated[];
	/** 1-based lines of headers behind the first; they are passed over, as the host does */
	readonly extraHeaders: number[];
	/** 1-based lines with bytes that are not UTF-8; they are decoded as U+FFFD, as the host does */
	readonly invalidUtf8: number[];
	/**
	 * types, roles and block types this reader does not know, with how often they came; the host shows none of them. And
	 * `usage:impossible`, for usages with figures below 0 or beyond reason, which count as absent
	 */
	readonly unknown: Map<string, number>;
	/** whether the last line is an entry but has no line end: nothing is lost, but an append would be fused to it */
	openEnd: boolean;
	/** findings left out of the lists above, each of which holds at most `REPORT_LIST_LIMIT` */
	unlisted: number;
}

/** Findings a list of the report holds at most; bounds memory on files that are broken all over. */
export const REPORT_LIST_LIMIT = 100_000;

/** A report of nothing. */
export function emptyReport(): SessionReport {
	return {
		entries: 0,
		bytesRead: 0,
		quarantined: [],
		salvaged: [],
		reparented: [],
		repeated: [],
		extraHeaders: [],
		invalidUtf8: [],
		unknown: new Map(),
		openEnd: false,
		unlisted: 0,
	};
}

/** Puts a finding on one of the report's lists, or counts it where the list is full. */
export function list<T>(report: SessionReport, findings: T[], finding: T): void {
	if (findings.length < REPORT_LIST_LIMIT) findings.push(finding);
	else report.unlisted++;
}

/** Takes back what an earlier pass found. */
export function clearReport(report: SessionReport): void {
	for (const findings of [
		report.quarantined,
		report.salvaged,
		report.reparented,
		report.repeated,
		report.extraHeaders,
		report.invalidUtf8,
	]) {
		findings.length = 0;
	}
	report.unknown.clear();
	Object.assign(report, { entries: 0, bytesRead: 0, openEnd: false, unlisted: 0 });
}
