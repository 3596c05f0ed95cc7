import { readFile } from "node:fs/promises";
import type { ModelFacts } from "./model-facts.ts";

/** The host's catalogue as it was when this package was packed: `prices.json`, beside the built modules. */
export interface PriceTable {
	/** the catalogue's release */
	readonly version: string;
	/** the day the catalogue was made, `YYYY-MM-DD` */
	readonly date: string;
	/** facts by provider, then by model id */
	readonly providers: { readonly [provider: string]: { readonly [id: string]: ModelFacts } };
}

/** The table packed with this module, or `undefined` where none was: in a checkout, which has the host's own. */
export async function packedPriceTable(): Promise<PriceTable | undefined> {
	try {
		return JSON.parse(await readFile(new URL("./prices.json", import.meta.url), "utf8"));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}
