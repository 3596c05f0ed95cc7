import type { Command } from "commander";
import type { Item } from "../../projections/window-plan.ts";
import { windowMessages } from "../adapters/sessions/window-messages.ts";
import { pastWindow } from "../debug/past-window.ts";
import { shreddedIn } from "../debug/shredded.ts";
import { withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { wholeNumber } from "./numbers.ts";
import { type OpenPlace, WHERE, withPlace } from "./place.ts";
import { noSuchRequest } from "./read-history.ts";
import { print, printJson } from "./terminal.ts";

interface WindowOptions {
	readonly store?: string;
	readonly at: number;
	readonly json?: boolean;
}

/** `window`: what the model saw at a request. */
export function addWindow(program: Command): void {
	program
		.command("window")
		.description(
			"print the exact window of a request as it was sent, a message of JSON a line, rebuilt from the log",
		)
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.requiredOption("--at <n>", "which request, from 1", wholeNumber({ least: 1 }))
		.option("--json", "one JSON object: the items, their digests, the window's digest and tokens")
		.action(runWindow);
}

function runWindow(where: string | undefined, options: WindowOptions): Promise<void> {
	return withPlace(options.store ?? where, (place) => printWindow(place, options));
}

async function printWindow({ store, stream }: OpenPlace, options: WindowOptions): Promise<void> {
	const window = await withBar("reading", store.head(stream).version, (advance) =>
		pastWindow(store, stream, options.at, advance),
	);
	if (!("items" in window)) throw noSuchRequest(options.at, window.requests);
	const { prepared, digest, items, position } = window;
	if (digest !== prepared.window) {
		throw new CliError(
			"CLI_WINDOW_DIFFERS",
			`request ${options.at}: the window rebuilt is ${digest}, the one recorded ${prepared.window}`,
		);
	}
	if (options.json) {
		const { request, at, leaf, model, tokens, commit, cold, change } = prepared;
		await printJson({
			request,
			position,
			at,
			leaf,
			model,
			...(commit !== undefined && { commit }),
			cold,
			...(change && { change }),
			digest,
			tokens,
			items: items.map(described),
		});
		return;
	}
	// what the stream says of it now, not when the window was sent
	const gone = await shreddedIn(store, stream);
	const isGone = (digest: string) => gone.has(digest);
	const content = (wanted: string) => {
		const bytes = store.blob(wanted);
		if (bytes || isGone(wanted)) return bytes;
		throw new CliError(
			"CLI_CONTENT_GONE",
			`request ${options.at} held the content ${wanted}, which is not stored`,
		);
	};
	for (const message of windowMessages(items, content, isGone)) {
		await print(message);
		await print("\n");
	}
}

function described(item: Item): { kind: string; id: string; digest?: string; [more: string]: unknown } {
	switch (item.kind) {
		case "entry":
			return {
				kind: "entry",
				id: item.node.id,
				digest: item.node.digest,
				role: item.node.role,
				form: item.form,
			};
		case "clipped":
			return { kind: "clipped", id: item.node.id, digest: item.clip.text, of: item.node.digest };
		case "edited":
			return { kind: "edited", id: item.node.id, digest: item.edit.digest, by: item.edit.id };
		case "fold":
			return { kind: "fold", id: item.fold, digest: item.text, chars: item.chars };
		case "shown":
			return { kind: "shown", id: "receipt", digest: item.text, chars: item.chars };
		case "answer":
			return { kind: "answer", id: item.call };
		default:
			return item satisfies never;
	}
}
