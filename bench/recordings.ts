import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TranscriptEntry } from "../projections/transcript.ts";
import { valuationOf } from "../src/adapters/catalogue.ts";
import { openSession } from "../src/adapters/sessions/pi/session.ts";
import { SessionError } from "../src/adapters/sessions/pi/session-error.ts";
import type { Recording } from "../src/debug/trace.ts";

/** A recording and what to call it. */
export interface NamedRecording extends Recording {
	readonly name: string;
	readonly requests: number;
}

const SHIPPED = fileURLToPath(new URL("../tests/sessions/recorded.jsonl", import.meta.url));

/**
 * The recorded sessions benches run on: the Pi files of the directory that `PALIMPSEST_SESSIONS` names, and the session
 * that ships; those with at least `requests` requests.
 */
export async function recordings(requests: number): Promise<NamedRecording[]> {
	const directory = process.env.PALIMPSEST_SESSIONS;
	const names = directory ? readdirSync(directory).filter((name) => name.endsWith(".jsonl")) : [];
	const paths = [...names.sort().map((name) => join(directory as string, name)), SHIPPED];
	const all: NamedRecording[] = [];
	for (const path of paths) {
		const read = await recordingAt(path);
		if (read && read.requests >= requests) all.push(read);
	}
	return all;
}

/** One recorded session, whole; `undefined` for a file that another agent wrote. */
export async function recordingAt(path: string): Promise<NamedRecording | undefined> {
	const entries: TranscriptEntry[] = [];
	try {
		const file = await openSession(path);
		for await (const entry of file.entries) entries.push(entry);
		const { id: session, format } = file;
		const requests = entries.filter(({ role }) => role === "assistant").length;
		const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.jsonl$/, "");
		const valuation: Recording["valuation"] = async (model) => (await valuationOf(model)).valuation;
		return { name, session, format, entries, requests, valuation };
	} catch (error) {
		if (error instanceof SessionError) return undefined;
		throw error;
	}
}
