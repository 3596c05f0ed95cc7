import { randomUUID } from "node:crypto";
import {
	copyFileSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeDirectory } from "../../store/make-directory.ts";
import { CHOICE_KEYS, type Choices, THRESHOLD_KEYS } from "./choices.ts";
import { checkedChoices } from "./options.ts";
import { wordsOf } from "./say.ts";

/** What a settings file says. */
export interface SettingsFile {
	readonly choices: Choices;
	/** why the whole file is passed over, in words */
	readonly refused?: string;
}

/** No settings take more bytes; what does is another file. */
const LARGEST = 65_536;

/** Reads a settings file. Never throws: what cannot be followed is passed over as a whole, and the reason given. */
export function readSettingsFile(path: string): SettingsFile {
	try {
		const { size, isFile } = kindOf(path);
		if (size === undefined) return { choices: {} };
		if (!isFile || size > LARGEST) return { choices: {}, refused: "it is no settings file" };
		return { choices: choicesIn(JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""))) };
	} catch (error) {
		return { choices: {}, refused: onOneLine(wordsOf(error)) };
	}
}

/**
 * Writes choices to a settings file, the folder made where it is missing: first to a file beside it, then renamed onto
 * it, so that a reader finds the old or the new one. Only what was chosen is written. `keep` puts the old file aside, as
 * `<name>.refused`, whose path is returned. Throws what the system says.
 */
export function writeSettingsFile(path: string, choices: Choices, keep: boolean): string | undefined {
	const target = targetOf(path);
	makeDirectory(dirname(target));
	const aside = keep ? `${target}.refused` : undefined;
	if (aside !== undefined) copyFileSync(target, aside);
	const beside = `${target}.${randomUUID()}`;
	try {
		const text = `${JSON.stringify(fieldsOf(choices), null, "\t")}\n`;
		writeFileSync(beside, text, { mode: 0o600, flag: "wx", flush: true });
		renameSync(beside, target);
		return aside;
	} catch (error) {
		rmSync(beside, { force: true });
		throw error;
	}
}

/** A file may have some thresholds and lack others; the defaults stand in for those. */
function choicesIn(content: unknown): Choices {
	const fields = content as { readonly blacklistAutoFoldTools?: unknown } | null;
	const names = fields?.blacklistAutoFoldTools;
	return checkedChoices(
		Array.isArray(names) ? { ...fields, blacklistAutoFoldTools: new Set(names) } : content,
		"the file",
	);
}

/** What nobody chose is left out, the thresholds among it, so that it follows the defaults. */
function fieldsOf(choices: Choices): { readonly [name: string]: unknown } {
	const fields: { [name: string]: unknown } = {};
	const thresholds: { [name: string]: unknown } = {};
	for (const key of CHOICE_KEYS) {
		if (choices[key] === undefined) continue;
		if (THRESHOLD_KEYS.some((threshold) => threshold === key)) {
			thresholds[key] = choices[key];
			fields.thresholds = thresholds;
		} else fields[key] = key === "blacklistAutoFoldTools" ? [...(choices[key] ?? [])] : choices[key];
	}
	return fields;
}

/** A parser quotes what it could not read, control characters and all. */
function onOneLine(text: string): string {
	return text.replaceAll(/[\s\p{Cc}]+/gu, " ");
}

/** Where a file really lies: one that is a link stays one. */
function targetOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

function kindOf(path: string): { size?: number; isFile: boolean } {
	const stats = statSync(path, { throwIfNoEntry: false });
	return stats ? { size: stats.size, isFile: stats.isFile() } : { isFile: false };
}
