import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import type { DomainEvent } from "../../events/catalogue.ts";
import { logLine } from "../debug/log-lines.ts";
import { eventNames, isOfTypes } from "../debug/naming.ts";
import { REGISTRY } from "../engine/store-journal.ts";
import type { RawEvent } from "../store/event-codec.ts";
import { CliError } from "./cli-error.ts";
import { failureOf, reportFailure } from "./failure.ts";
import { wholeNumber } from "./numbers.ts";
import { type OpenPlace, WHERE, withPlace } from "./place.ts";
import { oneLine } from "./plain-text.ts";
import { foundSomethingWrong, note, print } from "./terminal.ts";

interface LogOptions {
	readonly store?: string;
	readonly type?: readonly string[];
	readonly from?: number;
	readonly to?: number;
	readonly since?: number;
	readonly until?: number;
	readonly entry?: string;
	readonly limit?: number;
	readonly reverse?: boolean;
	readonly raw?: boolean;
	readonly json?: boolean;
}

/** Types of events, and the nouns they begin with. */
const TYPES = REGISTRY.definitions.map(({ type }) => type);
const NOUNS = [...new Set(TYPES.map((type) => type.split("/")[0] as string))];

function collect(type: string, types: readonly string[] = []): string[] {
	if (TYPES.includes(type) || NOUNS.includes(type)) return [...types, type];
	const noun = type.split("/")[0] as string;
	const known = NOUNS.includes(noun) ? TYPES.filter((other) => other.startsWith(`${noun}/`)) : NOUNS;
	throw new InvalidArgumentError(`There are ${known.join(", ")}.`);
}

/** `log`: what happened, an event a line. */
export function addLog(program: Command): void {
	program
		.command("log")
		.description("list the events of a store, oldest first, a line each")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--type <type>", "only events of this type, or of this noun; may be repeated", collect)
		.option("--from <n>", "from this position on", wholeNumber({ least: 0 }))
		.option("--to <n>", "up to and including this position", wholeNumber({ least: 0 }))
		.option("--since <time>", "from this time on, ISO 8601; UTC where it names no zone", time)
		.option("--until <time>", "up to and including this time", time)
		.option("--entry <id>", "only events that name this entry, fold, commit or digest")
		.option("--limit <n>", "at most so many events", wholeNumber({ least: 1 }))
		.option("--reverse", "newest first")
		.option("--raw", "each event as a line of JSON, as it is stored")
		.option("--json", "one JSON object with all of them")
		.action(runLog);
}

async function runLog(where: string | undefined, options: LogOptions): Promise<void> {
	const { from, to, since, until } = options;
	if (from !== undefined && to !== undefined && from > to) {
		throw new CliError("CLI_USAGE", `--from ${from} is behind --to ${to}`);
	}
	if (since !== undefined && until !== undefined && since > until) {
		throw new CliError("CLI_USAGE", "--since is later than --until");
	}
	return withPlace(options.store ?? where, (place) => printLog(place, options));
}

async function printLog(place: OpenPlace, options: LogOptions): Promise<void> {
	const { stream, store, directory } = place;
	const events = options.reverse ? reversed(select(place, options), options.limit) : select(place, options);
	if (options.json) {
		const { version, hash } = store.head(stream);
		const opening = JSON.stringify({ store: directory, stream, events: version, head: hash });
		await print(`${opening.slice(0, -1)},"log":[`);
	}
	let printed = 0;
	try {
		for await (const { event, readable } of events) {
			if (printed === options.limit) break;
			if (options.json) await print(`${printed > 0 ? "," : ""}${JSON.stringify(event)}`);
			else await print(`${options.raw ? JSON.stringify(event) : lineOf(event, readable)}\n`);
			printed += 1;
		}
		if (options.json) await print("]}\n");
		if (printed === 0 && options.entry !== undefined) note(`no event asked for names ${options.entry}`);
	} catch (error) {
		if (!options.json) throw error;
		// the object is begun and can only be ended with what went wrong
		await print(`],"error":${JSON.stringify(failureOf(error))}}\n`);
		process.exitCode = await reportFailure(error, false);
	}
}

interface Listed {
	readonly event: RawEvent;
	/** whether this release knows the event's type and version */
	readonly readable: boolean;
}

async function* select(
	{ store, stream }: OpenPlace,
	{ from = 0, to = Number.MAX_SAFE_INTEGER - 1, type, since, until, entry }: LogOptions,
): AsyncGenerator<Listed> {
	const wanted = ({ event }: Listed) =>
		isOfTypes(event.type, type) &&
		(since === undefined || event.at >= since) &&
		(until === undefined || event.at <= until) &&
		(entry === undefined || eventNames(event, entry));
	let unread: Listed[] = [];
	const onUnreadable = (event: RawEvent) => void unread.push({ event, readable: false });
	const runs = store.readRuns(stream, { from, to: to + 1, onUnreadable });
	for await (const run of runs) {
		const listed = [...unread, ...run.map((event) => ({ event, readable: true }))];
		unread = [];
		listed.sort((a, b) => a.event.position - b.event.position);
		yield* listed.filter(wanted);
	}
	if (unread.length > 0) note(`${unread.length} events are of a newer release`);
	yield* unread.filter(wanted);
	if (store.damage.length > 0) foundSomethingWrong();
}

/** LevelDB could read backwards, but a chain is verified forwards: what comes last is kept and turned round. */
async function* reversed(
	events: AsyncIterable<Listed>,
	limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Listed> {
	const last: Listed[] = [];
	for await (const listed of events) {
		last.push(listed);
		if (last.length > 2 * limit) last.splice(0, last.length - limit);
	}
	yield* last.reverse();
}

function lineOf({ position, at, actor, type, v, data }: RawEvent, readable: boolean): string {
	const what = readable ? logLine({ type, data } as DomainEvent) : `(version ${v}, unknown to this release)`;
	const stamp = Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at} ms`;
	return oneLine(
		`${String(position).padStart(6)}  ${stamp}  ${actor.padEnd(7)}  ${type.padEnd(23)}  ${what}`,
	);
}

/** Milliseconds since the epoch. A time without a zone is UTC, so that a command means the same everywhere. */
function time(text: string): number {
	if (/^\d{12,}$/.test(text)) return Number(text);
	const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes("T");
	const at = /^\d{4}-\d\d/.test(text) ? Date.parse(zoned ? text : `${text}Z`) : Number.NaN;
	if (Number.isNaN(at)) throw new InvalidArgumentError("It takes a time such as 2026-01-31T12:00.");
	return at;
}
