import { once } from "node:events";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { getBuiltinModels, getBuiltinProviders } from "@earendil-works/pi-ai/providers/all";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Valuation } from "../../events/valuation.ts";
import { valuationOfModel } from "../../src/adapters/catalogue.ts";
import { type HostModel, valuationOfFacts } from "../../src/adapters/model-facts.ts";
import type { PriceTable } from "../../src/adapters/price-table.ts";
import { pageFiles } from "../page/page-files.ts";
import { ask } from "../page/served.ts";
import { CHECKOUT, type Installed, install } from "./installed.ts";

const SESSION = join(CHECKOUT, "tests", "sessions", "recorded.jsonl");

/** Where the package keeps the catalogue it was packed with. */
const PRICES = "dist/src/adapters/prices.json";

/** A replay that was printed, and its whole log. */
interface Printed {
	readonly report: {
		readonly head: string;
		readonly entries: number;
		readonly events: number;
		readonly prices: string;
	};
	readonly log: readonly { readonly type: string; readonly data: unknown }[];
}

let installed: Installed;
let cli: string;
let apart: Printed;

/** Replays the recording by a command line into a store of its own, in the program's folder. */
async function replay(by: string, store: string): Promise<Printed> {
	const at = join(installed.app, store);
	const report = JSON.parse(await installed.node([by, "replay", SESSION, "--json", "--store", at]));
	const { log } = JSON.parse(await installed.node([by, "log", at, "--json"]));
	return { report, log };
}

async function packedPrices(): Promise<PriceTable> {
	return JSON.parse(await readFile(join(installed.folder, PRICES), "utf8"));
}

beforeAll(async () => {
	installed = await install();
	cli = join(installed.folder, "dist", "src", "cli.js");
	apart = await replay(cli, "apart");
});

afterAll(() => installed?.remove());

test("what is packed is what runs and its sources, with the licence and nothing else", async () => {
	const folders = new Set(installed.files.map((file) => file.replace(/\/.*/, "")));
	expect([...folders].sort()).toEqual(
		["LICENSE", "README.md", "dist", "events", "package.json", "projections", "src"].sort(),
	);
	expect(installed.files.filter((file) => /tsconfig|\.test\.|\.jsonl$/.test(file))).toEqual([]);
	const { bin, exports, pi } = JSON.parse(await readFile(join(installed.folder, "package.json"), "utf8"));
	const named = [bin.palimpsest, ...Object.values(exports["."]), exports["./package.json"], ...pi.extensions];
	for (const file of named) expect((await stat(join(installed.folder, file))).isFile()).toBe(true);
	expect(await readFile(cli, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test("installed without the host and with TypeBox 0.34, a replay differs in the name of its prices alone", async () => {
	const here = await replay(join(installed.copy, "src", "cli.ts"), "here");
	const { version, date } = await packedPrices();
	const packed = `the host's catalogue as packed: ${version} of ${date}`;

	expect(apart.report.events).toBeGreaterThan(1000);
	expect(apart.report.prices).toContain(packed);
	const renamed = (report: object) => ({ ...report, head: "", store: "", prices: "" });
	expect(renamed(apart.report)).toEqual(renamed(here.report));

	const unhashed = ({ log }: Printed) =>
		log.map(({ type, data, ...rest }) => {
			const told = data as Valuation;
			const source = type === "valuation/changed" && told.source.replace(packed, "the host's catalogue");
			return { ...rest, type, data: source ? { ...told, source } : data, hash: "" };
		});
	expect(unhashed(apart)).toEqual(unhashed(here));
});

test("every TypeBox writes the same bytes", async () => {
	await installed.useTypebox("@sinclair/typebox");
	try {
		const newer = await replay(cli, "newer");
		expect(newer.report.head).toBe(apart.report.head);
	} finally {
		await installed.useTypebox("typebox-0.34");
	}
});

test("a store written apart from the host verifies", async () => {
	const verified = JSON.parse(await installed.node([cli, "verify", join(installed.app, "apart"), "--json"]));
	expect(verified).toMatchObject({ sound: true, checked: { events: apart.report.events } });
});

test("a replay loads built modules and declared dependencies, and nothing of the host", async () => {
	const list = join(installed.app, "loaded.json");
	const preload = new URL("./loaded.ts", import.meta.url).href;
	await installed.node(
		["--import", preload, cli, "replay", SESSION, "--quiet", "--store", join(installed.app, "watched")],
		{ LOADED_TO: list },
	);
	const loaded: string[] = JSON.parse(await readFile(list, "utf8"));
	const files = loaded.filter((address) => address.startsWith("file:") && address !== preload);
	const own = files.filter((address) => address.startsWith(pathToFileURL(installed.folder).href));
	expect(own.length).toBeGreaterThan(50);
	expect(own.filter((address) => !address.endsWith(".js"))).toEqual([]);
	const packages = new Set(
		files.flatMap((address) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(address)?.[1] ?? []),
	);
	expect(packages).toContain("typebox-0.34");
	expect([...packages].filter((name) => name === "typebox" || name.startsWith("@earendil-works"))).toEqual(
		[],
	);
});

test("the packed page is served as it was built, with all its modules and libraries", async () => {
	const running = installed.start([cli, "debug", join(installed.app, "apart"), "--no-open", "--json"]);
	try {
		const [said] = (await once(running.stdout as Readable, "data")) as [Buffer];
		const { port, hash } = new URL((JSON.parse(String(said)) as { url: string }).url);
		const page = { port: Number(port), token: hash.slice("#token=".length) };
		const paths = await pageFiles(page);
		expect(paths.filter((path) => path.startsWith("/view/") && path.endsWith(".ts"))).toEqual([]);
		expect(paths.filter((path) => path.startsWith("/view/") && path.endsWith(".js")).length).toBeGreaterThan(
			20,
		);
		const { json } = await ask(page, "/api/session");
		expect(json).toMatchObject({ head: { version: apart.report.events } });
	} finally {
		running.kill("SIGTERM");
	}
	expect(await once(running, "exit")).toEqual([0, null]);
});

test("the packed prices give every model of the catalogue the worth it has with the host", async () => {
	const { providers } = await packedPrices();
	const worths: [packed: Valuation | undefined, host: Valuation][] = [];
	for (const provider of getBuiltinProviders()) {
		const models: readonly HostModel[] = getBuiltinModels(provider);
		for (const model of models) {
			const facts = providers[provider]?.[model.id];
			const name = `${provider}/${model.id}`;
			const packed = facts && valuationOfFacts(facts, name, "the host's catalogue");
			worths.push([packed, valuationOfModel(model)]);
		}
	}
	expect(worths.length).toBeGreaterThan(1000);
	expect(worths.filter(([packed, host]) => !isDeepStrictEqual(packed, host))).toEqual([]);
});

test("with neither the host nor the packed prices, prices are assumed and said to be", async () => {
	const table = join(installed.folder, PRICES);
	await rename(table, `${table}.away`);
	try {
		const { report } = await replay(cli, "assumed");
		expect(report).toMatchObject({ pricesAssumed: true, prices: expect.stringMatching(/^assumed: /) });
	} finally {
		await rename(`${table}.away`, table);
	}
});

test("the package's door opens without the host, onto the names it has in a checkout", async () => {
	const program = `
		import * as palimpsest from "pi-palimpsest";
		let entries = 0;
		for await (const _ of palimpsest.readSession(process.argv[1])) entries += 1;
		console.log(JSON.stringify({ names: Object.keys(palimpsest), entries }));
	`;
	const { names, entries } = JSON.parse(
		await installed.node(["--input-type=module", "--eval", program, SESSION]),
	);
	expect(names.sort()).toEqual(Object.keys(await import("../../src/index.ts")).sort());
	expect(entries).toBe(apart.report.entries);
});

test("a program's compiler knows the payload of an event, without the host and with TypeBox 0.34", async () => {
	const program = `
		import { DEFAULT_SETTINGS, type DomainEvent, type Valuation } from "pi-palimpsest";
		export const settings: typeof DEFAULT_SETTINGS = DEFAULT_SETTINGS;
		// @ts-expect-error no policy of this name
		settings.policy = "wishful";
		// @ts-expect-error no event of this type
		export const event: DomainEvent = { type: "nothing/happened", data: {} };
		export const worth = ({ input }: Valuation): string =>
			// @ts-expect-error a price is a number
			input;
	`;
	const compilerOptions = {
		module: "nodenext",
		target: "es2024",
		lib: ["es2024", "esnext.disposable"],
		types: [],
		strict: true,
		noEmit: true,
		skipLibCheck: true,
	};
	await writeFile(join(installed.app, "program.ts"), program);
	await writeFile(join(installed.app, "package.json"), JSON.stringify({ type: "module" }));
	await writeFile(
		join(installed.app, "tsconfig.json"),
		JSON.stringify({ compilerOptions, files: ["program.ts"] }),
	);
	const tsc = join(CHECKOUT, "node_modules", "typescript", "bin", "tsc");
	await expect(installed.node([tsc, "-p", "."])).resolves.toBe("");
});
