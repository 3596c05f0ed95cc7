import type { Dice } from "./dice.ts";

/** A file of the made-up repository. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
	/** functions it defines, in order */
	readonly functions: readonly string[];
	/** macros it defines, with their values */
	readonly constants: ReadonlyMap<string, number>;
}

const HEADS = [
	"bra",
	"ce",
	"dor",
	"fen",
	"gli",
	"hal",
	"jun",
	"kes",
	"lum",
	"mir",
	"nov",
	"osk",
	"pel",
	"quil",
	"ras",
	"sol",
] as const;
const TAILS = ["d", "lo", "mic", "ner", "pol", "rix", "stan", "tor", "vel", "wick", "yar", "zen"] as const;
const FOLDERS = ["lib", "lib/wire", "lib/auth", "lib/cache", "src", "src/tool", "tests/unit"] as const;
const VERBS = [
	"open",
	"close",
	"read",
	"write",
	"flush",
	"parse",
	"match",
	"resolve",
	"attach",
	"detach",
	"retry",
	"drain",
	"pause",
	"verify",
] as const;
const NOUNS = [
	"stream",
	"header",
	"socket",
	"cookie",
	"buffer",
	"handle",
	"ticket",
	"digest",
	"timer",
	"route",
	"queue",
	"record",
] as const;
const FIELDS = [
	"state",
	"used",
	"size",
	"flags",
	"next",
	"owner",
	"expires",
	"attempts",
	"offset",
	"peer",
] as const;
const REASONS = [
	"the peer may close first",
	"callers hold the lock",
	"a short read is no error",
	"the length was checked above",
	"older servers send it twice",
	"zero means no limit",
] as const;

/** The name of the `n`-th module; all are different. */
function moduleName(n: number): string {
	const head = HEADS[n % HEADS.length] ?? HEADS[0];
	const tail = TAILS[Math.floor(n / HEADS.length) % TAILS.length] ?? TAILS[0];
	const round = Math.floor(n / (HEADS.length * TAILS.length));
	return `${head}${tail}${round === 0 ? "" : round + 1}`;
}

/** Writes the `n`-th file, about `characters` long: macros, a struct and as many functions as fit. */
export function sourceFile(dice: Dice, n: number, characters: number): SourceFile {
	const name = moduleName(n);
	const upper = name.toUpperCase();
	const path = `${dice.pick(FOLDERS)}/${name}.c`;
	const constants = new Map<string, number>();
	for (const noun of dice.sample(NOUNS, 4))
		constants.set(`${upper}_MAX_${noun.toUpperCase()}`, dice.between(1000, 99_999));
	const functions: string[] = [];
	const parts = [opening(dice, name, upper, constants)];
	let length = parts[0]?.length ?? 0;
	const macros = [...constants.keys()] as [string, ...string[]];
	for (let i = 0; length < characters; i++) {
		const series = Math.floor(i / (VERBS.length * NOUNS.length)) + 1;
		const verb = VERBS[i % VERBS.length] ?? VERBS[0];
		const noun = NOUNS[(i * 5 + Math.floor(i / VERBS.length)) % NOUNS.length] ?? NOUNS[0];
		const fn = `${name}_${verb}_${noun}${series > 1 ? series : ""}${functions.includes(`${name}_${verb}_${noun}`) ? `_${i}` : ""}`;
		const part = functionText(dice, name, fn, dice.pick(macros), functions.at(-1));
		functions.push(fn);
		parts.push(part);
		length += part.length;
	}
	return { path, text: parts.join(""), functions, constants };
}

function opening(dice: Dice, name: string, upper: string, constants: ReadonlyMap<string, number>): string {
	const lines = [
		`/* ${name}: keeps one ${dice.pick(NOUNS)} per ${dice.pick(NOUNS)}; ${dice.pick(REASONS)} */`,
		"",
	];
	lines.push('#include "setup.h"', `#include "${name}.h"`, '#include "memory.h"', "");
	for (const [macro, value] of constants) lines.push(`#define ${macro} ${value}`);
	lines.push("", `struct ${name}_ctx {`);
	for (const field of dice.sample(FIELDS, 6))
		lines.push(`  ${dice.pick(["size_t", "unsigned int", "long", "void *"])} ${field};`);
	lines.push("};", "", `static int ${upper.toLowerCase()}_depth;`, "");
	return `${lines.join("\n")}\n`;
}

function functionText(
	dice: Dice,
	name: string,
	fn: string,
	macro: string,
	earlier: string | undefined,
): string {
	const field = dice.pick(FIELDS);
	const other = dice.pick(FIELDS);
	const limit = dice.between(2, 4096);
	const lines = [`/* ${fn}: ${dice.pick(REASONS)}, ${dice.pick(REASONS)} */`];
	lines.push(
		`static int ${fn}(struct ${name}_ctx *ctx, size_t len)`,
		"{",
		"  size_t i;",
		`  int result = ${dice.between(0, 9)};`,
		"",
	);
	lines.push(
		"  if(!ctx)",
		`    return -${dice.between(1, 90)};`,
		`  if(ctx->${field} > ${macro})`,
		`    ctx->${field} = ${macro} - ${limit};`,
	);
	for (let block = dice.between(1, 4); block > 0; block--) {
		const step = dice.between(1, 64);
		lines.push("", `  for(i = 0; i < len; i += ${step}) {`, `    /* ${dice.pick(REASONS)} */`);
		lines.push(`    if((ctx->${other} & 0x${dice.between(1, 0xffff).toString(16)}) == i)`, "      continue;");
		lines.push(
			`    ctx->${other} += (i * ${dice.between(3, 997)}) % ${dice.between(5, 8191)};`,
			`    result ^= (int)(ctx->${field} >> ${dice.between(1, 15)});`,
			"  }",
		);
	}
	if (earlier !== undefined)
		lines.push("", `  if(result > ${dice.between(10, 9999)})`, `    return ${earlier}(ctx, len / 2);`);
	lines.push(`  ${name}_depth++;`, "  return result;", "}", "", "");
	return lines.join("\n");
}
