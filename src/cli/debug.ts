import type { Command } from "commander";
import { openBrowser } from "../adapters/page/open-browser.ts";
import { servePage } from "../adapters/page/page-server.ts";
import { fixedStore, type StoreOrigin, storeInFolder } from "../adapters/page/store-origin.ts";
import { openForReading } from "../adapters/sessions/open-for-reading.ts";
import { type Progress, startProgress } from "../adapters/sessions/progress.ts";
import { isBundle } from "../store/bundle/bundle-source.ts";
import { wholeNumber } from "./numbers.ts";
import { findStore, WHERE } from "./place.ts";
import { note, print, printJson } from "./terminal.ts";

interface DebugOptions {
	readonly port?: number;
	readonly write?: boolean;
	readonly open: boolean;
	readonly json?: boolean;
}

/** `debug`: the page that shows what the model saw and why. */
export function addDebug(program: Command): void {
	program
		.command("debug")
		.description("serve a page to this machine that shows what the model saw at every request, and why")
		.argument("[where]", WHERE)
		.option("--port <n>", "where it listens; a free port by default", wholeNumber({ least: 1, most: 65_535 }))
		.option("--write", "let the page undo and redo decisions")
		.option("--no-open", "print the address, and open no browser")
		.option("--json", "one JSON object with the address")
		.action(runDebug);
}

async function runDebug(where: string | undefined, options: DebugOptions): Promise<void> {
	const ended = untilEnded();
	let bar: Progress | undefined;
	const page = await servePage({
		origin: await originOf(await findStore(where)),
		onProgress: ({ done, total }) => {
			bar ??= startProgress("reading", total);
			bar.update(done);
		},
		...(options.port !== undefined && { port: options.port }),
		write: options.write === true,
	});
	try {
		if (options.json) await printJson({ url: page.url });
		else await print(`${page.url}\n`);
		if (options.open && process.stdout.isTTY) {
			if (!(await openBrowser(page.ticketUrl())))
				note("no browser could be opened: open the address yourself");
		}
		await Promise.race([ended, page.whenRead]);
		bar?.stop();
		await ended;
	} finally {
		bar?.stop();
		await page.close();
	}
}

/** A folder may grow; a bundle stays what it is. */
async function originOf(place: string): Promise<StoreOrigin> {
	if (!(await isBundle(place))) return storeInFolder(place);
	const notes: string[] = [];
	const read = await openForReading(place, (what) => {
		notes.push(what);
		note(what);
	});
	return fixedStore(read, notes);
}

/** Resolves once the user, or the system, ends the command. */
function untilEnded(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
	});
}
