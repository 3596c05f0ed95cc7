import type { ModelRef } from "../../../projections/transcript.ts";
import { type Priced, valuationOf } from "../catalogue.ts";

/** What the models of a session cost, each looked up once. */
export class Prices {
	private readonly instead: ModelRef | undefined;
	private readonly known = new Map<string, Promise<Priced>>();
	private anyAssumed = false;

	/** `instead`: a model whose prices stand in for those of every other. */
	constructor(instead?: ModelRef) {
		this.instead = instead;
	}

	/** Whether a price asked for so far is assumed. */
	get assumed(): boolean {
		return this.anyAssumed;
	}

	/** The worth of a model's tokens. */
	async of(model: ModelRef): Promise<Priced> {
		const asked = this.instead ?? model;
		const name = `${asked.provider}/${asked.model}`;
		const found = this.known.get(name) ?? valuationOf(asked);
		this.known.set(name, found);
		const priced = await found;
		this.anyAssumed ||= priced.assumed;
		return priced;
	}
}
