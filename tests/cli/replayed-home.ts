import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type EndedInside, inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";

/** A home of a test file's own, with a recording and its replay, and the command line to ask about them. */
export class ReplayedHome {
	readonly path = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
	readonly recording: Recording = writeRecording(this.path);
	/** the folder of the replay's store; there once the file's tests begin */
	store = "";

	constructor() {
		beforeAll(async () => {
			({ store: this.store } = await this.json("replay", this.recording.path, ...TIGHT));
		});
		afterAll(() => rmSync(this.path, { recursive: true, force: true }));
	}

	/** Runs a command. */
	readonly run = (...args: string[]): Promise<EndedInside> => inside(this.path, ...args);

	/** What a command answers with `--json`. */
	// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
	readonly json = async (...args: string[]): Promise<any> =>
		JSON.parse((await this.run(...args, "--json")).text);
}
