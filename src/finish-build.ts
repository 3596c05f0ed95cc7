import { copyFile, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import {
	getBuiltinModelDataGeneratedAt,
	getBuiltinModels,
	getBuiltinProviders,
} from "@earendil-works/pi-ai/providers/all";
import { factsOf, type HostModel, type ModelFacts } from "./adapters/model-facts.ts";
import type { PriceTable } from "./adapters/price-table.ts";

/** Run behind the compiler, with the folder it wrote to: adds what a package needs and a checkout does not. */
const [dist] = process.argv.slice(2);
if (dist === undefined) throw new TypeError("which folder did the compiler write to?");
await writePrices(join(dist, "src", "adapters", "prices.json"));
await loosenTypes(dist);
await copyView(join("src", "adapters", "page", "view"), join(dist, "src", "adapters", "page", "view"));

/** The host's catalogue, as far as valuations need it, for those who replay without the host. */
async function writePrices(path: string): Promise<void> {
	const manifest = findPackageJSON("@earendil-works/pi-ai", import.meta.url);
	const made = getBuiltinModelDataGeneratedAt();
	if (manifest === undefined || made === undefined)
		throw new Error("the catalogue has no version or no date");
	const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
	const providers: Record<string, Record<string, ModelFacts>> = {};
	for (const provider of getBuiltinProviders()) {
		const models: readonly HostModel[] = getBuiltinModels(provider);
		providers[provider] = Object.fromEntries(models.map((model) => [model.id, factsOf(model)]));
	}
	const table: PriceTable = { version, date: new Date(made).toISOString().slice(0, 10), providers };
	await writeFile(path, JSON.stringify(table));
}

/**
 * TypeBox 1.x names the types of schemas in its namespace `Type`, and so do declarations made with it. 0.34, which npm
 * brings to a stand-alone install, has them by the same names in its root alone, as 1.x has too. Without this every
 * event's payload would be `any` there.
 */
async function loosenTypes(folder: string): Promise<void> {
	for await (const name of glob("**/*.d.ts", { cwd: folder })) {
		const path = join(folder, name);
		const text = await readFile(path, "utf8");
		const loose = text.replace(
			/^import \{(?: type Static,)? Type \} from "@sinclair\/typebox";$/m,
			(line) =>
				`import type * as Type from "@sinclair/typebox";${line.includes("Static") ? '\nimport type { Static } from "@sinclair/typebox";' : ""}`,
		);
		if (loose !== text) await writeFile(path, loose);
	}
}

/** What the page's modules need beside them, and no compiler carries over. */
async function copyView(from: string, to: string): Promise<void> {
	await mkdir(to, { recursive: true });
	for await (const name of glob("**/*.{html,css,svg}", { cwd: from })) {
		await mkdir(dirname(join(to, name)), { recursive: true });
		await copyFile(join(from, name), join(to, name));
	}
}
