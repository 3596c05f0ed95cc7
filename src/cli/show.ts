import { existsSync } from "node:fs";
import type { Command } from "commander";
import { committedPlans } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { rewritingsAt, rewritten } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import { isDigestOf, isShortDigest } from "../debug/digests.ts";
import { entriesOf, foldSpans, isHidden } from "../debug/fold-spans.ts";
import { nearest } from "../debug/near-ids.ts";
import { pastStates } from "../debug/past-states.ts";
import type { Store } from "../store/store.ts";
import { withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { type OpenPlace, WHERE, withPlace } from "./place.ts";
import { printOutput } from "./show-output.ts";
import { print, printJson } from "./terminal.ts";

interface ShowOptions {
	readonly store?: string;
	readonly text?: boolean;
	readonly output?: boolean;
	readonly json?: boolean;
}

/** `show`: an entry's exact bytes, what a fold stands for, or the text that stands for it. */
export function addShow(program: Command): void {
	program
		.command("show")
		.description(
			"write an entry's exact bytes and nothing else; of a fold, those of its entries, each on a line",
		)
		.argument("<id>", "an entry, a fold, or the SHA-256 of stored content, its first 12 digits at least")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the second argument")
		.option("--text", "the text that stands in the window for a fold or a clipped result")
		.option("--output", "all a tool gave out, where the result that answers a call shows a part of it")
		.option("--json", "one JSON object with what is known of it, bytes in base64")
		.action(runShow);
}

function runShow(first: string, second: string | undefined, options: ShowOptions): Promise<void> {
	// other commands take the place first, and so does this one where the other argument is no path
	const swapped = second !== undefined && existsSync(first) && !existsSync(second);
	const [id, where] = swapped ? [second, first] : [first, second];
	return withPlace(options.store ?? where, (place) => printFound(place, id, options));
}

async function printFound({ store, stream }: OpenPlace, id: string, options: ShowOptions): Promise<void> {
	const { states } = await withBar("reading", store.head(stream).version, (onProgress) =>
		pastStates(store, stream, { onProgress }),
	);
	if (options.output) return printOutput(states, store, id, options.json);
	const found = find(states, store, id);
	if (!found) throw unknownId(states, id);
	const digests = options.text ? textDigest(states, id, found) : found.digests;
	const contents = digests.map((digest) => contentOf(store, digest));
	if (options.json) {
		const items = contents.map((bytes, index) => ({
			...(found.nodes[index] && !options.text && { entry: found.nodes[index].id }),
			digest: digests[index],
			bytes: bytes.length,
			base64: Buffer.from(bytes).toString("base64"),
		}));
		await printJson({ id, kind: found.kind, items });
		return;
	}
	for (const bytes of contents) {
		await print(bytes);
		if (found.kind === "fold" && !options.text) await print("\n");
	}
}

interface Found {
	readonly kind: "entry" | "fold" | "content";
	readonly nodes: readonly EntryNode[];
	readonly digests: readonly string[];
}

function find(states: SessionStates, store: Store, id: string): Found | undefined {
	const node = nodeOf(states.tree, id);
	if (node) return { kind: "entry", nodes: [node], digests: [node.digest] };
	const span = foldSpans(states).get(id);
	if (span) {
		const nodes = entriesOf(states.tree, span).filter(isHidden);
		return { kind: "fold", nodes, digests: nodes.map(({ digest }) => digest) };
	}
	const digest = isShortDigest(id) ? wholeDigest(states, id) : id;
	return store.hasBlob(digest) ? { kind: "content", nodes: [], digests: [digest] } : undefined;
}

/** The one digest of an entry's or a fold's content that begins so; throws `CLI_NO_SUCH_ID` where several do. */
function wholeDigest(states: SessionStates, short: string): string {
	const found = new Set<string>();
	const look = (digest: string) => {
		if (isDigestOf(digest, short)) found.add(digest);
	};
	for (const bucket of states.tree.nodes) for (const { digest } of bucket.values()) look(digest);
	for (const { text } of foldSpans(states).values()) {
		look(text.text);
		look(text.brief);
	}
	for (const bucket of states.forest.rewritten) {
		for (const text of [...bucket.values()].flatMap((rewriting) => [...rewriting.values()])) {
			look(text.text);
			look(text.brief);
		}
	}
	for (const { clips } of committedPlans(states.plans)) for (const { text } of clips.values()) look(text);
	if (found.size > 1) {
		throw new CliError("CLI_NO_SUCH_ID", `several begin with ${short}: ${[...found].join(", ")}`);
	}
	return [...found][0] ?? short;
}

function textDigest(states: SessionStates, id: string, found: Found): string[] {
	const text = foldSpans(states).get(id)?.text;
	if (text) return [rewritten(text, rewritingsAt(states, states.tree.leaf)).text];
	const clips = committedPlans(states.plans).flatMap(({ clips }) => clips.get(id) ?? []);
	const last = clips.at(-1);
	if (last) return [last.text];
	throw new CliError(
		"CLI_NO_SUCH_ID",
		`no text stands for ${id}, ${found.kind === "entry" ? "an entry" : "content"}`,
	);
}

function contentOf(store: Store, digest: string): Uint8Array {
	const bytes = store.blob(digest);
	if (!bytes) throw new CliError("CLI_CONTENT_GONE", `the content ${digest} was shredded or never stored`);
	return bytes;
}

function unknownId(states: SessionStates, id: string): CliError {
	const known = [...states.tree.nodes.flatMap((bucket) => [...bucket.keys()]), ...foldSpans(states).keys()];
	const near = nearest(id, known);
	const hint = near.length > 0 ? `; near it are ${near.join(", ")}` : "";
	return new CliError("CLI_NO_SUCH_ID", `the store knows nothing called ${id}${hint}`);
}
