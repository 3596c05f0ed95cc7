/** What becomes of the host's compactions, of recall and of memory: pi-compact's configuration, which is honoured. */
export interface CompactConfig {
	/** off: every compaction that happens is the host's */
	readonly enabled: boolean;
	/** off: the same */
	readonly overrideDefaultCompaction: boolean;
	/** characters of a checkpoint */
	readonly summaryMaxChars: number;
	readonly autoRecall: boolean;
	readonly autoRecallMode: "full" | "hint" | "off";
	readonly autoRecallMaxChars: number;
	readonly recallMaxResults: number;
	/** characters that recall answers with */
	readonly recallMaxChars: number;
	readonly debug: boolean;
	readonly memory: {
		readonly enabled: boolean;
		readonly pinnedInjection: boolean;
		readonly proposalsProvisionalOnly: boolean;
		readonly hintMaxChars: number;
		readonly deriveOnCompact: boolean;
	};
	readonly history: { readonly autoRecallPrimaryOnly: boolean; readonly excludeInContext: boolean };
	readonly window: { readonly manifest: boolean };
	readonly sessionSummary: {
		readonly enabled: boolean;
		/** off: a checkpoint goes without the work summary */
		readonly inject: boolean;
		readonly maxChars: number;
		readonly maxEvidence: number;
	};
}

/** What stands where no file says otherwise. */
export const DEFAULT_COMPACT_CONFIG: CompactConfig = {
	enabled: true,
	overrideDefaultCompaction: true,
	summaryMaxChars: 12_000,
	autoRecall: true,
	autoRecallMode: "full",
	autoRecallMaxChars: 5_000,
	recallMaxResults: 8,
	recallMaxChars: 16_000,
	debug: false,
	memory: {
		enabled: true,
		pinnedInjection: true,
		proposalsProvisionalOnly: true,
		hintMaxChars: 4_000,
		deriveOnCompact: true,
	},
	history: { autoRecallPrimaryOnly: true, excludeInContext: true },
	window: { manifest: true },
	sessionSummary: { enabled: true, inject: true, maxChars: 6_000, maxEvidence: 80 },
};

/** The largest numbers that are followed; what is above is taken as these. */
const CAPS: { readonly [path: string]: number } = {
	summaryMaxChars: 100_000,
	autoRecallMaxChars: 50_000,
	recallMaxResults: 30,
	recallMaxChars: 100_000,
	"memory.hintMaxChars": 50_000,
	"sessionSummary.maxChars": 30_000,
	"sessionSummary.maxEvidence": 500,
};

/** The least that is followed; what is below is the default. Others begin at 1. */
const FLOORS: { readonly [path: string]: number } = { "sessionSummary.maxEvidence": 2 };

type Fields = { readonly [name: string]: unknown };

/**
 * The configuration that a file's content gives. Fields it lacks or has of a wrong type are the defaults', numbers above
 * their cap the cap, nested fields may be given flat (`memoryEnabled` for `memory.enabled`; the nested one wins), and
 * what is not known is passed over.
 */
export function compactConfigIn(content: unknown): CompactConfig {
	const given = fieldsOf(content);
	const config = valuesOf(DEFAULT_COMPACT_CONFIG as unknown as Fields, given, "", given);
	const { autoRecall } = config;
	const mode = given.autoRecallMode;
	const autoRecallMode = isMode(mode) ? mode : autoRecall ? "full" : "off";
	return { ...config, autoRecallMode } as unknown as CompactConfig;
}

function valuesOf(defaults: Fields, given: Fields, group: string, root: Fields): Fields {
	return Object.fromEntries(
		Object.entries(defaults).map(([name, otherwise]) => {
			const path = group === "" ? name : `${group}.${name}`;
			if (typeof otherwise === "object" && otherwise !== null)
				return [name, valuesOf(otherwise as Fields, fieldsOf(given[name]), name, root)];
			const flat = `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
			const nested = followed(given[name], otherwise, path);
			return [
				name,
				nested ?? (group === "" ? undefined : followed(root[flat], otherwise, path)) ?? otherwise,
			];
		}),
	);
}

function followed(value: unknown, otherwise: unknown, path: string): unknown {
	if (typeof otherwise === "boolean") return typeof value === "boolean" ? value : undefined;
	if (typeof otherwise !== "number" || typeof value !== "number") return undefined;
	if (!Number.isSafeInteger(value) || value < (FLOORS[path] ?? 1)) return undefined;
	return Math.min(value, CAPS[path] ?? value);
}

function isMode(value: unknown): value is CompactConfig["autoRecallMode"] {
	return value === "full" || value === "hint" || value === "off";
}

function fieldsOf(value: unknown): Fields {
	return typeof value === "object" && value !== null ? (value as Fields) : {};
}
