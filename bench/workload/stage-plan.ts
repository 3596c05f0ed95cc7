import { Dice } from "./dice.ts";
import { type SourceFile, sourceFile } from "./source-text.ts";

/** Stages in all, and those that carry no files: one that briefs, four that ask, one that closes the ledger. */
export const STAGES = 64;
export const PROBE_STAGES: readonly number[] = [16, 32, 48, 64];
const BRIEFING_STAGE = 1;
const AUDIT_STAGE = 63;

/** Characters of files a payload stage is filled up to; the last file is staged whole, so most stages hold more. */
const PAYLOAD_TARGET = 48_000;
/** Mean and spread of file sizes in characters, as 266 staged files of 3.83 M characters had them. */
const FILE_MEAN = 14_400;
const FILE_VARIATION = 1.25;
const FILE_FLOOR = 1800;
const FILE_CEILING = 120_000;

/** A word, number or row a stage reveals; an answer must be found where it was last true. */
export interface Named {
	readonly name: string;
	readonly value: string;
}

/** A row of the seeded ledger. `next` names the row it is joined with. */
export interface LedgerRow {
	readonly row: string;
	readonly holder: string;
	readonly amount: number;
	readonly next: string | undefined;
}

/** A stage as it is told. */
export interface Stage {
	readonly number: number;
	readonly kind: "briefing" | "payload" | "probe" | "audit";
	/** what `repo_stage` must be called with to be told this stage */
	readonly key: string;
	readonly files: readonly SourceFile[];
	/** the word issued here, withdrawn three stages later */
	readonly word: string;
	/** the word that takes the place of the one issued three stages before */
	readonly reissued: { readonly stage: number; readonly word: string } | undefined;
	readonly fact: Named;
	readonly binding: Named;
	/** an earlier stage whose fact this one's marker points to */
	readonly marker: number;
	readonly rows: readonly LedgerRow[];
	readonly corrections: readonly { readonly row: string; readonly amount: number }[];
}

const WORDS = [
	"heron",
	"basalt",
	"marrow",
	"tundra",
	"cobalt",
	"sorrel",
	"plinth",
	"walnut",
	"gannet",
	"fathom",
	"juniper",
	"lantern",
] as const;
const TOPICS = ["ceiling", "quota", "lease", "quorum", "backoff", "grace", "stride", "budget"] as const;
const HOLDERS = [
	"Okafor",
	"Lindqvist",
	"Marchetti",
	"Tanaka",
	"Duarte",
	"Novak",
	"Haddad",
	"Ferreira",
] as const;

/** Lays out all stages from a seed. */
export function planStages(seed: number): Stage[] {
	const dice = new Dice(seed);
	const token = (label: string): string => `${label}-${dice.pick(WORDS)}-${dice.between(1000, 9999)}`;
	const words = Array.from({ length: STAGES + 1 }, () => token("CW"));
	const second = Array.from({ length: STAGES + 1 }, () => token("CW"));
	const ledger = layLedger(dice);
	let files = 0;
	return Array.from({ length: STAGES }, (_, i): Stage => {
		const number = i + 1;
		const kind = kindOf(number);
		const staged: SourceFile[] = [];
		for (let held = 0; kind === "payload" && held < PAYLOAD_TARGET; held += staged.at(-1)?.text.length ?? 0) {
			const size = Math.min(FILE_CEILING, Math.max(FILE_FLOOR, dice.size(FILE_MEAN, FILE_VARIATION)));
			staged.push(sourceFile(dice, files++, size));
		}
		return {
			number,
			kind,
			key: token("KEY"),
			files: staged,
			word: words[number] ?? "",
			reissued: number > 3 ? { stage: number - 3, word: second[number - 3] ?? "" } : undefined,
			fact: { name: `${dice.pick(TOPICS)}_of_stage_${number}`, value: String(dice.between(10_000, 99_999)) },
			binding: { name: `port_${dice.pick(WORDS)}_${number}`, value: String(dice.between(20_000, 65_000)) },
			marker: number > 4 ? dice.between(1, number - 4) : 1,
			rows: ledger.rows.filter((_row, at) => ledger.stages[at] === number),
			corrections: ledger.corrections.filter((correction) => correction.stage === number),
		};
	});
}

function kindOf(number: number): Stage["kind"] {
	if (PROBE_STAGES.includes(number)) return "probe";
	if (number === BRIEFING_STAGE) return "briefing";
	return number === AUDIT_STAGE ? "audit" : "payload";
}

/** Sixteen rows, each told three stages or more after the one before; four chains of three rows, four corrections late on. */
function layLedger(dice: Dice) {
	const rows = Array.from({ length: 16 }, (_, i): LedgerRow => {
		const chain = Math.floor(i / 3);
		const next = chain < 4 && i % 3 < 2 ? `R${String(i + 2).padStart(2, "0")}` : undefined;
		return {
			row: `R${String(i + 1).padStart(2, "0")}`,
			holder: `${dice.pick(HOLDERS)}-${dice.between(100, 999)}`,
			amount: dice.between(1000, 99_999),
			next,
		};
	});
	const stages = rows.map((_, i) => 3 + i * 3 + (PROBE_STAGES.includes(3 + i * 3) ? 1 : 0));
	const corrections = [2, 5, 8, 11].map((i, at) => ({
		row: rows[i]?.row ?? "",
		amount: dice.between(1000, 99_999),
		stage: 52 + at * 3,
	}));
	return { rows, stages, corrections };
}

/** The word that stands for a stage at a later one: the reissued one from three stages on. */
export function wordAt(plan: readonly Stage[], stage: number, now: number): string {
	const reissue = plan.find((later) => later.reissued?.stage === stage);
	return reissue?.reissued !== undefined && reissue.number <= now
		? reissue.reissued.word
		: (plan[stage - 1]?.word ?? "");
}
