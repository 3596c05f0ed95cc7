import type { Command } from "commander";
import { count } from "../debug/numbers.ts";
import { referencesOf } from "../debug/references.ts";
import type { RawEvent } from "../store/event-codec.ts";
import { withBar } from "./bar.ts";
import { findStore, openForReading, WHERE } from "./place.ts";
import { foundSomethingWrong, printJson, printLines } from "./terminal.ts";

interface VerifyOptions {
	readonly store?: string;
	readonly json?: boolean;
}

/** `verify`: whether a store is what was written. */
export function addVerify(program: Command): void {
	program
		.command("verify")
		.description(
			"check every event, checkpoint and content of a store against its hashes; 1 if any is damaged",
		)
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--json", "one JSON object")
		.action(runVerify);
}

async function runVerify(where: string | undefined, options: VerifyOptions): Promise<void> {
	const directory = await findStore(options.store ?? where);
	const { store, close } = await openForReading(directory);
	let total = 0;
	for (const stream of store.streams()) total += store.head(stream).version;
	const verification = withBar("verifying", total, (advance) => {
		let done = 0;
		const references = (event: RawEvent) => {
			advance(++done);
			return referencesOf(event);
		};
		return store.verify({ blobs: true, references });
	});
	const { streams, damage, checked } = await verification.finally(close);
	if (damage.length > 0) foundSomethingWrong();
	if (options.json) {
		await printJson({ store: directory, sound: damage.length === 0, streams, checked, damage });
		return;
	}
	await printLines([
		directory,
		...streams.map(({ stream, version, hash }) => `${stream}: ${count(version, "event")}, head ${hash}`),
		`checked ${count(checked.events, "event")}, ${count(checked.blobs, "blob")}, ${count(checked.checkpoints, "checkpoint")}`,
		...damage.map(({ part, stream, position, what }) => {
			const at = position === undefined ? "" : ` at ${position}`;
			return `DAMAGED ${part}${stream === undefined ? "" : ` of ${stream}`}${at}: ${what}`;
		}),
		damage.length === 0
			? "sound"
			: `${count(damage.length, "fault")}; palimpsest repair keeps what still verifies`,
	]);
}
