import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { DEFAULT_SETTINGS, defaultPolicy, type Settings } from "../../../projections/rules.ts";
import { valuationOfModel } from "../catalogue.ts";
import {
	type ChoiceKey,
	type Choices,
	contradiction,
	DEFAULT_CHOICES,
	FLOOR_FACTORS,
	type FullChoices,
	isPolicyWord,
	RULES,
} from "./choices.ts";
import { wordsOf } from "./say.ts";
import { readSettingsFile, type SettingsFile, writeSettingsFile } from "./settings-file.ts";

/** The model that answers, or none yet. */
export type ModelInUse = ExtensionContext["model"];

/** A settings file that was passed over, and made room for a new one. */
export interface PutAside {
	/** path it lies at now */
	readonly as: string;
	/** why it was passed over, in words */
	readonly why: string;
}

/**
 * What was chosen, by whom, and the engine's settings that follow. What the embedding program fixed wins over the
 * user's file, and that over the defaults.
 */
export class SettingsInForce {
	readonly #fixed: Choices;
	readonly #path: () => string;
	#file: SettingsFile | undefined;
	#putAside: PutAside | undefined;
	/** the engine's settings by when to commit, and those of the model asked for last, until the file is read anew */
	readonly #engine = new Map<"economic" | "calm", Settings>();
	#last: { readonly model: ModelInUse; readonly settings: Settings } | undefined;

	/** `path` is asked for the settings file each time it is read or written. */
	constructor(fixed: Choices, path: () => string) {
		this.#fixed = fixed;
		this.#path = path;
	}

	/** Where the user's choices are kept. */
	get path(): string {
		return this.#path();
	}

	/** Why the settings file is passed over, in words; `undefined` where it is followed or there is none. */
	get refused(): string | undefined {
		return this.#read().refused;
	}

	/** What the last choice put aside, if it found a file that was passed over. */
	get putAside(): PutAside | undefined {
		return this.#putAside;
	}

	/** Every choice in force. */
	get choices(): FullChoices {
		return { ...DEFAULT_CHOICES, ...this.#chosen() };
	}

	/** Whether the embedding program chose, so that the user cannot. */
	isFixed(key: ChoiceKey): boolean {
		return this.#fixed[key] !== undefined;
	}

	/** Reads the settings file anew: another process may have written it. */
	reload(): void {
		this.#file = undefined;
		this.#engine.clear();
		this.#last = undefined;
	}

	/** What is wrong with a choice beside the others in force; `undefined` where it can be made. */
	objection(key: ChoiceKey, value: Choices[ChoiceKey]): string | undefined {
		if (this.isFixed(key)) return `${key} is fixed by the program that runs Palimpsest`;
		if (value !== undefined && !RULES[key].holds(value)) return `${key} must be ${RULES[key].must}`;
		const { [key]: standing } = DEFAULT_CHOICES as Choices;
		return contradiction({ ...this.choices, [key]: value ?? standing })?.why;
	}

	/**
	 * Makes a choice, or takes one back with `undefined`, and saves it. Nothing is changed where something objects to it,
	 * or where it cannot be saved; then the reason is returned. A file that was passed over is put aside first.
	 */
	choose(key: ChoiceKey, value: Choices[ChoiceKey]): string | undefined {
		this.reload();
		this.#putAside = undefined;
		const objection = this.objection(key, value);
		if (objection !== undefined) return objection;
		const { choices: before, refused } = this.#read();
		const choices: Choices = { ...before, [key]: value };
		try {
			const as = writeSettingsFile(this.path, choices, refused !== undefined);
			if (as !== undefined && refused !== undefined) this.#putAside = { as, why: refused };
		} catch (error) {
			return `it could not be saved: ${wordsOf(error)}`;
		}
		this.reload();
		return undefined;
	}

	/** The engine's settings while a model answers: asked for at every request, and one object until they change. */
	engine(model: ModelInUse): Settings {
		if (this.#last && this.#last.model === model) return this.#last.settings;
		const timing = timingFor(model);
		const settings = this.#engine.get(timing) ?? this.#settingsWith(timing);
		this.#engine.set(timing, settings);
		this.#last = { model, settings };
		return settings;
	}

	#settingsWith(timing: "economic" | "calm"): Settings {
		const { policy, providerInputBudget, blacklistAutoFoldTools, postFoldNotice, ...numbers } = this.choices;
		const { maxTarget, minTarget, consolidateAfter, minFoldChars, toolFoldThreshold } = numbers;
		const factor = isPolicyWord(policy) ? FLOOR_FACTORS[policy] : 1;
		return {
			...DEFAULT_SETTINGS,
			policy: isPolicyWord(policy) || policy === "observe" ? timing : policy,
			...(policy === "observe" && { observe: true }),
			minFoldChars,
			consolidateAfter,
			toolFoldThreshold,
			maxTarget,
			minTarget,
			...(factor !== 1 && { floorFactor: factor }),
			...(providerInputBudget !== undefined && { inputBudget: providerInputBudget }),
			...(blacklistAutoFoldTools.size > 0 && { keepRaw: [...blacklistAutoFoldTools].sort() }),
			...(postFoldNotice && { postFoldNotice }),
		};
	}

	/** What somebody chose. Where the file contradicts what is fixed, it is passed over. */
	#chosen(): Choices {
		return { ...this.#read().choices, ...this.#fixed };
	}

	#read(): SettingsFile {
		this.#file ??= this.#readBeside();
		return this.#file;
	}

	#readBeside(): SettingsFile {
		const file = readSettingsFile(this.#path());
		const wrong = contradiction({ ...file.choices, ...this.#fixed });
		return wrong ? { choices: {}, refused: `beside what is fixed: ${wrong.why}` } : file;
	}
}

/** When to commit where nobody chose; as if there were prices until a model is chosen. */
export function timingFor(model: ModelInUse): "economic" | "calm" {
	return model === undefined ? "economic" : defaultPolicy(valuationOfModel(model));
}
