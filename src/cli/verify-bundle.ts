import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, whole } from "../debug/numbers.ts";
import { referencesOf } from "../debug/references.ts";
import { type Replayed, replayChecked } from "../debug/replay-check.ts";
import { REGISTRY } from "../engine/store-journal.ts";
import { type AppendedAnew, appendAnew } from "../store/append-anew.ts";
import { type Unpacked, unpackBundle } from "../store/bundle/unpack-bundle.ts";
import { goesAtExit } from "../store/leftovers.ts";
import { openStore } from "../store/open-store.ts";
import type { Damage, Verification, VerifyOptions } from "../store/store.ts";
import { withBar } from "./bar.ts";
import { proverHere } from "./prover.ts";
import { foundSomethingWrong, printJson, printLines } from "./terminal.ts";
import { shreddingLine, unprovedLine } from "./verify-words.ts";

/** A stream of a bundle, once it was gone through. */
interface GoneThrough extends Omit<AppendedAnew, "fault" | "head"> {
	readonly stream: string;
	readonly version: number;
	readonly hash: string;
	/** what it means; absent for a stream that is no session's */
	readonly replayed?: Omit<Replayed, "damage">;
}

/** What was found of a bundle. */
interface Checked {
	readonly unpacked: Unpacked;
	readonly damage: readonly Damage[];
	readonly streams: readonly GoneThrough[];
	readonly verified?: Verification;
}

/**
 * Checks a bundle: each record as it is read, then the store made of it as any other, then its events, appended and
 * replayed anew. Tells what was found, and that something is wrong by the exit code. Throws what `unpackBundle` throws.
 */
export async function verifyBundle(file: string, { json }: { readonly json?: boolean }): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "palimpsest-bundle-"));
	const gone = goesAtExit(folder);
	try {
		const checked = await check(file, join(folder, "store"));
		if (checked.damage.length > 0 || forgedIn(checked).length > 0) foundSomethingWrong();
		if (json) await printJson(asJson(file, checked));
		else await printLines(lines(file, checked));
	} finally {
		await rm(folder, { recursive: true, force: true });
		gone();
	}
}

async function check(file: string, to: string): Promise<Checked> {
	const { size } = await stat(file);
	const unpacked = await withBar("reading", size, (onProgress) => unpackBundle({ file, to, onProgress }));
	if (unpacked.damage.length > 0) return { unpacked, damage: unpacked.damage, streams: [] };
	await using store = await openStore({ directory: to, registry: REGISTRY, readOnly: true });
	const prover = proverHere();
	const options: VerifyOptions = {
		blobs: true,
		references: referencesOf,
		...(prover && { proof: prover.proof }),
	};
	const verified = await withBar("verifying", 0, () => store.verify(options));
	const damage = verified.damage.filter(
		({ digest }) => digest === undefined || !unpacked.leftOut.has(digest),
	);
	const streams: GoneThrough[] = [];
	for (const { stream, version, hash } of verified.streams) {
		const appended = await withBar("appending", version, async (advance) =>
			appendAnew(store, stream, REGISTRY, advance),
		);
		const { encoded, taken, fault } = appended;
		if (fault) damage.push(fault);
		const replayed = stream.startsWith("session/")
			? await withBar("replaying", version, (advance) => replayChecked(store, stream, advance))
			: undefined;
		damage.push(...(replayed?.damage ?? []));
		const { damage: _told, ...meaning } = replayed ?? {};
		streams.push({
			stream,
			version,
			hash,
			encoded,
			taken,
			...(replayed && { replayed: meaning as Omit<Replayed, "damage"> }),
		});
	}
	return { unpacked, damage, streams, verified };
}

function forgedIn({ verified }: Checked) {
	return verified?.unproved.filter(({ proof }) => proof === "forged") ?? [];
}

function asJson(file: string, { unpacked, damage, streams, verified }: Checked): object {
	const { header, counts, digest, cut } = unpacked;
	return {
		bundle: file,
		sound: damage.length === 0,
		...(digest !== undefined && { digest }),
		redacted: header.redacted,
		partial: header.partial,
		streams: streams.length > 0 ? streams : header.streams,
		checked: counts,
		damage,
		...(cut && { code: cut.code }),
		...(verified && verified.lost.length > 0 && { lost: verified.lost }),
		...(verified && verified.shredded.length > 0 && { shredded: verified.shredded }),
		...(verified && verified.unproved.length > 0 && { unproved: verified.unproved }),
	};
}

function lines(file: string, checked: Checked): string[] {
	const { unpacked, damage, streams, verified } = checked;
	const { header, counts, digest, cut } = unpacked;
	const named = streams.length > 0 ? streams : header.streams;
	return [
		`${file}: a bundle${header.redacted ? ", redacted" : ""}${digest === undefined ? "" : `, SHA-256 ${digest}`}`,
		...named.map(({ stream, version, hash }) => `${stream}: ${count(version, "event")}, head ${hash}`),
		`checked ${count(counts.events, "event")}, ${count(counts.contents, "content")}, ${count(counts.checkpoints, "checkpoint")}, ${count(counts.seals, "seal")}`,
		...streams.flatMap(throughLines),
		...(header.redacted ? [`redacted: ${count(counts.leftOut, "content")} left out`] : []),
		...(header.partial ? ["partial: made of what still verified of a damaged store"] : []),
		...damage.map(({ part, stream, position, what }) => {
			const of = stream === undefined ? "" : ` of ${stream}`;
			return `DAMAGED ${part}${of}${position === undefined ? "" : ` at ${position}`}: ${what}`;
		}),
		...(verified?.shredded.map(shreddingLine) ?? []),
		...(verified?.lost
			.flatMap(({ contents }) => contents)
			.map((one) => `lost: the content ${one}, as a repair says`) ?? []),
		...(verified?.unproved.map(unprovedLine) ?? []),
		damage.length === 0
			? conclusion(checked)
			: `${cut?.code ?? "BUNDLE_DAMAGED"}: ${count(damage.length, "fault")}`,
	];
}

function throughLines({ version, encoded, taken, replayed }: GoneThrough): string[] {
	const as =
		taken > 0 ? `, ${whole(taken)} of them by their bytes, since this release writes them otherwise` : "";
	return [
		`appended anew: ${count(encoded + taken, "event")}${as}${encoded + taken === version ? ", to the same head" : ""}`,
		...(replayed
			? [
					`replayed ${count(version, "event")}: ${count(replayed.entries, "entry")}, ${count(replayed.requests, "request")}, ${count(replayed.decisions, "decision")}, ${count(replayed.compared, "checkpoint")} held against that`,
				]
			: []),
		...(replayed && replayed.unreadable > 0
			? [`${count(replayed.unreadable, "event")} of a newer release passed over`]
			: []),
	];
}

function conclusion(checked: Checked): string {
	const forged = forgedIn(checked).length;
	if (forged > 0)
		return `every hash holds, and ${count(forged, "seal")} does not: such an event has no effect`;
	return "sound";
}
