import { resolve } from "node:path";
import type { Command } from "commander";
import { byteSize, count } from "../debug/numbers.ts";
import { referencesOf } from "../debug/references.ts";
import { assertFree, writeWholeFile } from "../store/bundle/bundle-file.ts";
import { BundleSource, isBundle } from "../store/bundle/bundle-source.ts";
import { StoreError } from "../store/errors.ts";
import type { Store, Verification } from "../store/store.ts";
import { withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { findStore, openForReading, WHERE } from "./place.ts";
import { foundSomethingWrong, printJson, printLines } from "./terminal.ts";

interface BundleOptions {
	readonly store?: string;
	readonly out: string;
	readonly redact?: boolean;
	readonly force?: boolean;
	readonly partial?: boolean;
	readonly json?: boolean;
}

/** `bundle`: a store in one file. */
export function addBundle(program: Command): void {
	program
		.command("bundle")
		.description(
			"put a store into one file, which anyone can verify and read without a home, a key or the host: events as they are chained, seals, contents and checkpoints. The same store gives the same file",
		)
		.argument("[where]", WHERE)
		.requiredOption("--out <file>", "where to; a file that stands there is left alone")
		.option("--redact", "leave out all contents; what the events themselves say stays in")
		.option("--force", "put it in the place of a file that stands there")
		.option(
			"--partial",
			"take what of a damaged store still verifies, which is refused otherwise; the bundle says so",
		)
		.option("--store <where>", "the same as the argument")
		.option("--json", "one JSON object")
		.action(runBundle);
}

async function runBundle(where: string | undefined, options: BundleOptions): Promise<void> {
	const { out, redact = false, force = false, partial = false } = options;
	if (out === "") throw new CliError("CLI_USAGE", "--out is an empty text");
	assertFree(out, { force });
	const directory = await findStore(options.store ?? where);
	await assertNotRedacted(directory);
	const { store, close } = await openForReading(directory);
	try {
		const verified = await verifiedStore(store);
		const damage = verified.damage.filter(({ part }) => part !== "checkpoint");
		const [first] = damage;
		if (first && !partial)
			throw new StoreError(
				"STORE_DAMAGED",
				`${directory} is damaged: ${first.what}; --partial takes what still verifies`,
				{ directory },
			);
		const damaged = new Set(damage.flatMap(({ digest }) => digest ?? []));
		const { streams } = verified;
		const pieces = store.bundle({ streams, redact, ...(first && { damaged }) });
		const bytes = await withBar("writing", 0, (onProgress) =>
			writeWholeFile(pieces, { file: out, force, onProgress }),
		);
		if (first) foundSomethingWrong();
		await tell({ store: directory, file: resolve(out), bytes, redact, verified, damage }, options);
	} finally {
		await close();
	}
}

/** Throws `CLI_USAGE` for a bundle whose contents were left out: no other can be made of it. */
async function assertNotRedacted(directory: string): Promise<void> {
	if (!(await isBundle(directory))) return;
	await using source = await BundleSource.open(directory);
	if (source.header.redacted)
		throw new CliError(
			"CLI_USAGE",
			`${directory} is a redacted bundle, of which no other can be made: copy the file, or bundle the store itself`,
		);
}

/** What of a store is vouched for. It is looked at before a byte is written, since a bundle begins with its heads. */
async function verifiedStore(store: Store): Promise<Verification> {
	let total = 0;
	for (const stream of store.streams()) total += store.head(stream).version;
	return withBar("verifying", total, (advance) => {
		let done = 0;
		return store.verify({
			blobs: true,
			references: (event) => {
				advance(++done);
				return referencesOf(event);
			},
		});
	});
}

interface Bundled {
	readonly store: string;
	readonly file: string;
	readonly bytes: number;
	readonly redact: boolean;
	readonly verified: Verification;
	readonly damage: Verification["damage"];
}

async function tell({ verified, damage, ...bundled }: Bundled, { json }: BundleOptions): Promise<void> {
	const { streams, checked, lost, shredded } = verified;
	const gone = {
		shredded: shredded.flatMap(({ contents }) => contents).length,
		lost: lost.flatMap(({ contents }) => contents).length,
	};
	if (json)
		return printJson({
			...bundled,
			streams,
			events: checked.events,
			contents: checked.blobs,
			...gone,
			damage,
		});
	const contents = count(checked.blobs, "content");
	await printLines([
		`${bundled.file}: ${byteSize(bundled.bytes)}`,
		...streams.map(({ stream, version, hash }) => `${stream}: ${count(version, "event")}, head ${hash}`),
		bundled.redact ? `redacted: ${contents} left out` : `${contents} in it`,
		...(gone.shredded > 0
			? [`${count(gone.shredded, "content")} shredded on purpose, and so not in it`]
			: []),
		...(gone.lost > 0 ? [`${count(gone.lost, "content")} lost by the store, as a repair says`] : []),
		...damage.map(({ what }) => `left out: ${what}`),
		"palimpsest verify FILE checks it, anywhere",
	]);
}
