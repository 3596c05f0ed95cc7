import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getBuiltinModel } from "@earendil-works/pi-ai/providers/all";
import { parseSessionEntries, type SessionEntry, type SessionHeader } from "@earendil-works/pi-coding-agent";
import { billReplies, charactersOf } from "./billing.ts";
import { becomeAnonymous, checkOut } from "./checkout.ts";
import { BEGINS_AT, layOutTimes, nameInOrder } from "./clock.ts";
import { openHost } from "./host-session.ts";
import { neutralPaths, refuseTraces, steadyTimings } from "./neutral.ts";
import { PAUSES, playSession } from "./session-script.ts";

/**
 * `npm run record`: the real host works through a scripted day in a copy of this repository; what it wrote is moved to
 * a neutral place and clock, billed as a catalogue model would bill it, and kept as the session that ships.
 */

const OUTPUT = join("tests", "sessions", "recorded.jsonl");
const MODEL = getBuiltinModel("anthropic", "claude-sonnet-4-5");

becomeAnonymous(join(process.cwd(), "node_modules", ".bin"));
const checkout = checkOut();
try {
	const host = await openHost(checkout, MODEL);
	await playSession(host);
	host.close();
	const jsonl = neutralPaths(readFileSync(host.file, "utf8"), checkout);
	const [header, ...entries] = parseSessionEntries(jsonl) as [SessionHeader, ...SessionEntry[]];
	nameInOrder(entries);
	layOutTimes(entries, PAUSES);
	steadyResults(entries);
	billReplies(entries, MODEL);
	header.timestamp = BEGINS_AT;
	const lines = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
	refuseTraces(lines, checkout);
	const output = join(checkout.origin, OUTPUT);
	mkdirSync(dirname(output), { recursive: true });
	writeFileSync(output, lines);
	report(entries, lines.length);
} finally {
	checkout.dispose();
}

/** Steadies timings in the results of commands. */
function steadyResults(entries: readonly SessionEntry[]): void {
	const commands = new Map<string, string>();
	for (const entry of entries) {
		if (entry.type !== "message") continue;
		const { message } = entry;
		if (message.role === "assistant") {
			for (const part of message.content) {
				if (part.type === "toolCall" && part.name === "bash")
					commands.set(part.id, String(part.arguments.command));
			}
		} else if (message.role === "toolResult") {
			const command = commands.get(message.toolCallId);
			if (command === undefined) continue;
			for (const part of message.content) {
				if (part.type === "text") part.text = steadyTimings(command, part.text, new Date(entry.timestamp));
			}
		}
	}
}

function report(entries: readonly SessionEntry[], characters: number): void {
	let requests = 0;
	let peak = 0;
	let dollars = 0;
	let results = 0;
	for (const entry of entries) {
		if (entry.type !== "message") continue;
		const { message } = entry;
		if (message.role === "toolResult") results += charactersOf(message);
		if (message.role !== "assistant") continue;
		const { usage } = message;
		requests++;
		peak = Math.max(peak, usage.input + usage.cacheRead + usage.cacheWrite);
		dollars += usage.cost.total;
	}
	console.log(
		`${OUTPUT}: ${entries.length} entries, ${requests} requests, ${results} characters of tool output, ` +
			`largest prompt ${peak} tokens, $${dollars.toFixed(2)}, ${characters} characters`,
	);
}
