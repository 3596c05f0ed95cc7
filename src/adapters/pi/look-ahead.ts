import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Settings } from "../../../projections/rules.ts";
import { notDueUntil } from "../../commands/commit.ts";
import type { NextRequest } from "../../engine/decision.ts";
import type { Engine } from "../../engine/engine.ts";

/** What the next request depends on beside the log. */
export interface Surroundings {
	readonly leaf: string | null;
	readonly model: ExtensionContext["model"];
	readonly settings: Settings;
}

/** What is to be done before the next request, found out while nobody waits: mostly nothing. */
export class LookAhead {
	#found: { readonly request: NextRequest; readonly until: number; readonly version: number } | undefined;
	#around: Surroundings | undefined;

	/** Finds out until when nothing is to be done before a request; where nothing ever is, `isIdle`. */
	find(engine: Engine, request: NextRequest, around: Surroundings, isIdle: boolean): void {
		this.forget();
		const until = isIdle ? Number.POSITIVE_INFINITY : notDueUntil(engine.states, engine.occurring(request));
		if (until === undefined) return;
		this.#found = { request, until, version: engine.version };
		this.#around = around;
	}

	/** Takes nothing for found. */
	forget(): void {
		this.#found = undefined;
	}

	/** The request that goes out now, where all is as it was found and nothing is to be done before it. */
	request(engine: Engine, { leaf, model, settings }: Surroundings): NextRequest | undefined {
		const [found, around] = [this.#found, this.#around];
		if (!found || !around || found.version !== engine.version || found.request.leaf !== leaf)
			return undefined;
		const at = Date.now();
		const isAsFound = around.model === model && around.settings === settings;
		return isAsFound && at <= found.until ? { ...found.request, at } : undefined;
	}
}
