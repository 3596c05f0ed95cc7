import type { Command } from "commander";
import { foldSpans } from "../debug/fold-spans.ts";
import { byteSize, count, decimal, whole } from "../debug/numbers.ts";
import { pastStates } from "../debug/past-states.ts";
import { type StoreSizes, storeSizes } from "../debug/store-sizes.ts";
import type { Store } from "../store/store.ts";
import { withBar } from "./bar.ts";
import { WHERE, withPlace } from "./place.ts";
import { tableLines } from "./table.ts";
import { printJson, printLines } from "./terminal.ts";

interface StatsOptions {
	readonly store?: string;
	readonly json?: boolean;
}

/** `stats`: what a store holds and what it takes. */
export function addStats(program: Command): void {
	program
		.command("stats")
		.description("show what a store holds: events by type, entries, folds, bytes by part and on disk")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--json", "one JSON object")
		.action(runStats);
}

async function runStats(where: string | undefined, options: StatsOptions): Promise<void> {
	const { holdings, sizes } = await withPlace(
		options.store ?? where,
		async ({ store, stream, directory }) => {
			const holdings = { store: directory, stream, ...(await holdingsOf(store, stream)) };
			// what is measured is the database itself, or the copy of it, which goes when this ends
			await store.close();
			return { holdings, sizes: await storeSizes(store.directory ?? directory) };
		},
	);
	await print(holdings, sizes, options);
}

interface Holdings {
	readonly store: string;
	readonly stream: string;
	readonly head: string;
	readonly events: number;
	readonly byType: { readonly [type: string]: number };
	readonly entries: number;
	readonly requests: number;
	readonly cuts: number;
	readonly folds: number;
	readonly commits: number;
}

async function holdingsOf(store: Store, stream: string): Promise<Omit<Holdings, "store" | "stream">> {
	const byType = new Map<string, number>();
	const tally = ({ type }: { readonly type: string }) => void byType.set(type, (byType.get(type) ?? 0) + 1);
	for await (const run of store.readRuns(stream, { onUnreadable: tally })) run.forEach(tally);
	const { states } = await withBar("reading", store.head(stream).version, (onProgress) =>
		pastStates(store, stream, { onProgress }),
	);
	const spans = [...foldSpans(states).values()];
	const { version, hash } = store.head(stream);
	return {
		head: hash,
		events: version,
		byType: Object.fromEntries([...byType].sort(([a], [b]) => (a < b ? -1 : 1))),
		entries: states.tree.count,
		requests: states.ledger.requests,
		cuts: spans.filter(({ text }) => text.level === 0).length,
		folds: states.plans.made.size,
		commits: states.plans.commits.size,
	};
}

async function print(holdings: Holdings, sizes: StoreSizes, { json }: StatsOptions): Promise<void> {
	const ratio = sizes.database === 0 ? 0 : sizes.raw / sizes.database;
	if (json) {
		await printJson({ ...holdings, sizes, compression: ratio });
		return;
	}
	const { byType, events, entries, requests, cuts, folds, commits } = holdings;
	const parts = (["events", "blobs", "checkpoints", "rows", "heads"] as const).map((part) => [
		part,
		whole(sizes[part].records),
		byteSize(sizes[part].bytes),
	]);
	await printLines([
		holdings.store,
		`${holdings.stream}: head ${holdings.head}`,
		`${count(entries, "entry")}, ${count(requests, "request")}, ${count(commits, "commit")}, ${count(cuts, "cut")} closed, ${count(folds, "fold")} made`,
		"",
		...tableLines(
			["type", "events"],
			[...Object.entries(byType).map(([type, n]) => [type, whole(n)]), ["all", whole(events)]],
		),
		"",
		...tableLines(["part", "records", "bytes"], [...parts, ["all", "", byteSize(sizes.raw)]]),
		`on disk ${byteSize(sizes.database)}, ${decimal(ratio)} bytes held for each; with what lies beside ${byteSize(sizes.disk)}`,
	]);
}
