import { readFile, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import {
	getBuiltinModelDataGeneratedAt,
	getBuiltinModels,
	getBuiltinProviders,
} from "@earendil-works/pi-ai/providers/all";
import { factsOf, type HostModel, type ModelFacts } from "./model-facts.ts";
import type { PriceTable } from "./price-table.ts";

/**
 * Run when packing: writes the host's catalogue, as far as valuations need it, to the file named on the command line,
 * for those who replay without the host. The same catalogue gives the same bytes.
 */
const [to] = process.argv.slice(2);
const manifest = findPackageJSON("@earendil-works/pi-ai", import.meta.url);
const made = getBuiltinModelDataGeneratedAt();
if (to === undefined || manifest === undefined || made === undefined) {
	throw new TypeError("needs a file to write, and a catalogue that tells its version and date");
}
const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
const providers: Record<string, Record<string, ModelFacts>> = {};
for (const provider of getBuiltinProviders()) {
	const models: readonly HostModel[] = getBuiltinModels(provider);
	providers[provider] = Object.fromEntries(models.map((model) => [model.id, factsOf(model)]));
}
const table: PriceTable = { version, date: new Date(made).toISOString().slice(0, 10), providers };
await writeFile(to, JSON.stringify(table));
