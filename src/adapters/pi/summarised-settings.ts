import type { Settings } from "../../../projections/rules.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { ModelInUse } from "./settings-in-force.ts";

/** The settings in force, with how long a work summary commits tell the model, which another file says. */
export class SummarisedSettings {
	readonly #settings: (model: ModelInUse) => Settings;
	#workSummary: Settings["workSummary"];
	#last: { readonly plain: Settings; readonly whole: Settings } | undefined;

	constructor(settings: (model: ModelInUse) => Settings) {
		this.#settings = settings;
	}

	/** Takes in what holds from here on; without a configuration nothing is told. */
	follow(config: CompactConfig | undefined): void {
		const { enabled, inject, maxChars, maxEvidence } = config?.sessionSummary ?? {};
		const tells = config?.enabled === true && enabled === true && inject === true;
		const limits = tells && maxChars && maxEvidence ? { maxChars, maxEvidence } : undefined;
		if (JSON.stringify(limits) === JSON.stringify(this.#workSummary)) return;
		this.#workSummary = limits;
		this.#last = undefined;
	}

	/** The settings while a model answers: one object until they change. */
	readonly of = (model: ModelInUse): Settings => {
		const plain = this.#settings(model);
		if (!this.#workSummary) return plain;
		if (this.#last?.plain !== plain)
			this.#last = { plain, whole: { ...plain, workSummary: this.#workSummary } };
		return this.#last.whole;
	};
}
