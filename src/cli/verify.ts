import { readdirSync } from "node:fs";
import type { Command } from "commander";
import { count, whole } from "../debug/numbers.ts";
import { referencesOf } from "../debug/references.ts";
import { isBundle } from "../store/bundle/bundle-source.ts";
import type { RawEvent } from "../store/event-codec.ts";
import type { KnownLoss } from "../store/losses.ts";
import type { Damage } from "../store/store.ts";
import { withBar } from "./bar.ts";
import { indexFaults } from "./index-rows.ts";
import { findStore, openForReading, WHERE } from "./place.ts";
import { proverHere } from "./prover.ts";
import { againWords } from "./repair.ts";
import { foundSomethingWrong, printJson, printLines } from "./terminal.ts";
import { verifyBundle } from "./verify-bundle.ts";
import { NAMED, shreddingLine, unprovedLine } from "./verify-words.ts";

interface VerifyOptions {
	readonly store?: string;
	readonly json?: boolean;
}

/** `verify`: whether a store is what was written. */
export function addVerify(program: Command): void {
	program
		.command("verify")
		.description(
			"check every event, checkpoint and content of a store against its hashes, and its index against them; of a bundle, also that its events give the same head and the same states anew; 1 if anything is damaged",
		)
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--json", "one JSON object")
		.action(runVerify);
}

async function runVerify(where: string | undefined, options: VerifyOptions): Promise<void> {
	const directory = await findStore(options.store ?? where);
	if (await isBundle(directory)) return verifyBundle(directory, options);
	const { store, close } = await openForReading(directory);
	const prover = proverHere();
	let total = 0;
	for (const stream of store.streams()) total += store.head(stream).version;
	const verification = withBar("verifying", total, (advance) => {
		let done = 0;
		const references = (event: RawEvent) => {
			advance(++done);
			return referencesOf(event);
		};
		return store.verify({ blobs: true, references, ...(prover && { proof: prover.proof }) });
	});
	const { streams, found, lost, shredded, unproved, notes, checked } = await verification
		.then(async ({ damage, ...verified }) => {
			const index = await indexFaults(store, damage);
			const checked = { ...verified.checked, rows: index.checked };
			return { ...verified, checked, found: [...damage, ...index.damage] };
		})
		.finally(close);
	const damage = streams.length > 0 || found.length > 0 ? found : emptied(directory);
	const forged = unproved.filter(({ proof }) => proof === "forged");
	if (damage.length > 0 || forged.length > 0) foundSomethingWrong();
	if (options.json) {
		await printJson({
			store: directory,
			sound: damage.length === 0,
			streams,
			checked,
			damage,
			...(lost.length > 0 && { lost }),
			...(shredded.length > 0 && { shredded }),
			...(unproved.length > 0 && { unproved }),
			...(notes.length > 0 && { notes }),
		});
		return;
	}
	const again = againWords(directory);
	await printLines([
		directory,
		...streams.map(({ stream, version, hash }) => `${stream}: ${count(version, "event")}, head ${hash}`),
		`checked ${count(checked.events, "event")}, ${count(checked.blobs, "blob")}, ${count(checked.checkpoints, "checkpoint")}, ${count(checked.rows, "index row")}`,
		...damage.map(({ part, stream, position, what }) => {
			const at = position === undefined ? "" : ` at ${position}`;
			const sound = part === "event" ? streams.find((head) => head.stream === stream)?.version : undefined;
			const kept = sound === undefined || position === undefined || position < sound ? "" : keptBy(sound);
			return `DAMAGED ${part}${stream === undefined ? "" : ` of ${stream}`}${at}: ${what}${kept}`;
		}),
		...notes.map((text) => `note: ${text}`),
		...lost.flatMap(lossLines),
		...shredded.map(shreddingLine),
		...unproved.map(unprovedLine),
		damage === found ? conclusion(damage.length, forged.length, lost, again) : again,
	]);
}

/** What a repair keeps of a stream of which so many events are vouched for, in the numbers it tells of them. */
function keptBy(sound: number): string {
	return sound === 0 ? "; a repair keeps none" : `; a repair keeps events 0 to ${sound - 1}`;
}

/** What a repair told to be lost, for good as far as this store goes. */
function lossLines({ stream, position, lostTo, contents, keptAs }: KnownLoss): string[] {
	const what = [
		...(lostTo === undefined ? [] : [`events ${position} to ${lostTo}`]),
		...(contents.length === 0 ? [] : [`the content ${contents.slice(0, NAMED).join(", ")}`]),
		...(contents.length > NAMED ? [`${whole(contents.length - NAMED)} more`] : []),
	];
	if (what.length === 0) return [];
	return [`lost: ${what.join(" and ")} of ${stream}, as the repair at ${position} says (see ${keptAs})`];
}

function conclusion(faults: number, forged: number, lost: readonly KnownLoss[], again: string): string {
	if (faults > 0) return `${count(faults, "fault")}; palimpsest repair keeps what still verifies`;
	if (forged > 0)
		return `every hash holds, and ${count(forged, "seal")} does not: such an event has no effect`;
	const isWhole = lost.every(({ lostTo, contents }) => lostTo === undefined && contents.length === 0);
	return isWhole ? "sound" : `sound, but for what a repair lost; ${again}`;
}

/** A store that a repair emptied, for nothing in it could be vouched for, is not a sound one. */
function emptied(directory: string): Damage[] {
	const aside = readdirSync(directory).filter((name) => name.startsWith("damaged-"));
	if (aside.length === 0) return [];
	const what = `nothing stands here: a repair could keep nothing of what lies in ${aside.join(", ")}`;
	return [{ part: "files", what }];
}
