import { EventError } from "../../../events/registry.ts";
import { count } from "../../debug/numbers.ts";
import { REGISTRY } from "../../engine/store-journal.ts";
import { schemaCheck } from "../../store/schema-check.ts";
import {
	type Brought,
	type BroughtEvent,
	type BroughtLoss,
	type Imported,
	isFields,
	type JsonLine,
	type Refused,
} from "./brought.ts";
import { digestOf, EXPORT_FORMAT, EXPORT_VERSION } from "./export-format.ts";

/** Whether a line is the header of an export, or an event of one. */
export function isOfExport(value: unknown): boolean {
	return isFields(value) && (value.format === EXPORT_FORMAT || isFields(value.proof));
}

/** What an export holds. Each line is looked at by itself, and one that cannot be used is refused by itself. */
export function readExport(lines: readonly JsonLine[], broken: readonly Refused[]): Brought {
	const refused = [...broken];
	const items: (BroughtEvent | BroughtLoss)[] = [];
	const notes: string[] = [];
	const header = lines.find(({ value }) => isFields(value) && value.format === EXPORT_FORMAT)?.value;
	let events = 0;
	let stayed = 0;
	for (const { line, value } of lines) {
		if (value === header) continue;
		events++;
		const item = itemOf(line, value);
		if (item === "stays") stayed++;
		else if ("why" in item) refused.push(item);
		else items.push(item);
	}
	if (stayed > 0)
		notes.push(
			`${count(stayed, "event")} of vouching, moving or repair ${stayed === 1 ? "holds" : "hold"} where the file comes from, and ${stayed === 1 ? "stays" : "stay"} there`,
		);
	const behind = lines.filter(({ value }) => value !== header).map(({ value }) => value);
	const notWhole = lackOf(header, behind, broken.length);
	return {
		what: `an export of memory, ${count(events, "event")}`,
		items,
		refused,
		notes: [...headerNotes(header), ...notes],
		...(notWhole !== undefined && { notWhole }),
	};
}

function headerNotes(header: unknown): string[] {
	return !isFields(header) || header.v === EXPORT_VERSION
		? []
		: [`its format is version ${String(header.v)}, this release knows ${EXPORT_VERSION}`];
}

/** What a file lacks of what was written. Without its end it would bring back what was forgotten there. */
function lackOf(header: unknown, behind: readonly unknown[], broken: number): string | undefined {
	if (!isFields(header)) return "its header is missing, so that nobody can tell what else is";
	const events = behind.length + broken;
	if (header.events !== events)
		return `its header tells of ${String(header.events)} events, ${events} are there`;
	if (broken > 0) return `${count(broken, "line")} of it cannot be read`;
	if (header.digest === undefined) return "its header has no digest of its lines";
	return header.digest === digestOf(behind) ? undefined : "its lines are not those its header was made for";
}

function itemOf(line: number, value: unknown): BroughtEvent | BroughtLoss | Refused | "stays" {
	if (!isFields(value) || !isFields(value.proof)) return { line, why: "it is no event of an export" };
	const { type, v, text, proof } = value;
	if (typeof type !== "string" || typeof v !== "number") return { line, why: "it names no type and version" };
	const data = payloadOf(type, v, value.data);
	if ("why" in data) return { line, why: data.why };
	if (type === "payload/shredded") return { line, ...(data.payload as Omit<BroughtLoss, "line">) };
	if (!type.startsWith("memory/") || STAYING.has(type)) return "stays";
	const imported =
		type === "memory/imported" ? (data.payload as Imported) : importedOf(value, proof, type, data.payload);
	const misfit = misfitOf(imported);
	if (misfit !== undefined) return { line, why: misfit };
	return { line, imported, ...(typeof text === "string" && { text }) };
}

/** Types of events that say something of the place they stand in. */
const STAYING: ReadonlySet<string> = new Set(["memory/trusted", "memory/moved"]);

/** A payload in today's schema, or why it cannot be had. */
function payloadOf(
	type: string,
	v: number,
	data: unknown,
): { readonly payload: unknown } | { readonly why: string } {
	try {
		const payload = REGISTRY.upcast(type, v, data);
		const misfit = schemaCheck(REGISTRY.require(type).schema)(payload);
		return misfit === undefined
			? { payload }
			: { why: `its ${type} is not as it should be: the payload${misfit}` };
	} catch (error) {
		if (error instanceof EventError) return { why: error.message };
		throw error;
	}
}

function importedOf(
	{ at, actor, position }: { readonly [key: string]: unknown },
	{ stream, stored, key, tag }: { readonly [key: string]: unknown },
	type: string,
	data: unknown,
): Imported {
	return {
		origin: {
			log: stream,
			position,
			at: typeof at === "string" ? Date.parse(at) : at,
			actor,
			...(actor === "user" && key !== undefined && { sealed: { key, tag, stored } }),
		},
		type,
		data,
	} as Imported;
}

/** What is wrong with an event that would be brought in, in words; `undefined` where it may. */
function misfitOf(imported: Imported): string | undefined {
	const own = schemaCheck(REGISTRY.require("memory/imported").schema)(imported);
	if (own !== undefined) return `what it says of its origin is not as it should be: ${own}`;
	const { type, data } = imported;
	if (!BRINGABLE.has(type)) return `an event of type ${type} cannot be brought in`;
	const inner = payloadOf(type, REGISTRY.require(type).v, data);
	return "why" in inner ? inner.why : undefined;
}

/** Types of events that change records. */
const BRINGABLE: ReadonlySet<string> = new Set([
	"memory/recorded",
	"memory/proposed",
	"memory/derived",
	"memory/superseded",
	"memory/confirmed",
	"memory/pinned",
	"memory/unpinned",
	"memory/resolved",
	"memory/restored",
]);
