import { createHash } from "node:crypto";
import { type Fact, Notes } from "./notes.ts";
import type { Call, Output, Reply } from "./scripted-model.ts";

/** Where the scripted model works: its notes, its dice and its way of talking. Same outputs in, same replies out. */
export class Desk {
	readonly notes = new Notes();
	#rolls = 0;
	readonly #done = new Set<string>();
	readonly #remarks: string[] = [];
	#rereads = 0;

	/** A whole number below `below`, the same in every run. */
	roll(below: number): number {
		const bytes = createHash("sha256")
			.update(`roll ${this.#rolls++}`)
			.digest();
		return bytes.readUInt32BE(0) % Math.max(1, below);
	}

	pick<T>(from: readonly T[]): T | undefined {
		return from[this.roll(from.length)];
	}

	/** Whether something is still to be done; `claim` marks it as done. */
	once(what: string, claim: boolean): boolean {
		if (this.#done.has(what)) return false;
		if (claim) this.#done.add(what);
		return true;
	}

	/** Keeps a remark for the summary at the end of the turn. */
	remember(remark: string): void {
		this.#remarks.push(remark);
	}

	/** The remarks kept since the last summary. */
	remembered(): string[] {
		return this.#remarks.splice(0);
	}

	/** The paths in an order to read them once more, starting where the last such reading stopped. */
	again(paths: readonly string[]): string[] {
		this.#rereads += 3;
		const start = this.#rereads % Math.max(1, paths.length);
		return [...paths.slice(start), ...paths.slice(0, start)];
	}

	/** Replies with calls and takes their outputs into the notes. */
	*act(
		reply: Reply & { readonly calls: readonly Call[] },
	): Generator<Reply, readonly Output[], readonly Output[]> {
		const outputs = yield reply;
		this.notes.absorb(outputs);
		return outputs;
	}

	/** A sentence or two that mention what recent and much earlier output showed. */
	recall(): string {
		const facts = this.notes.facts;
		if (facts.length < 4) return "";
		const recent = facts.slice(-12);
		const near = this.pick(recent);
		const far = this.pick(facts);
		if (near === undefined || far === undefined) return "";
		if (near === far) return `${mention(near)} is the piece to keep in mind here.`;
		const links = [
			`${mention(near)} leans on what ${mention(far)} settled.`,
			`Worth remembering next to ${mention(near)}: ${mention(far)}.`,
			`${mention(far)} comes back here, now beside ${mention(near)}.`,
			`So ${mention(near)} is one side of this and ${mention(far)} the other.`,
			`I want to hold ${mention(near)} against ${mention(far)} before going on.`,
			`${mention(near)} is new; ${mention(far)} I had from before.`,
			`First ${describe(near)} Then there is ${mention(far)}.`,
			`${describe(far)} So ${mention(near)} has to agree with it.`,
			`${describe(near)} ${describe(far)}`,
			`Earlier: ${describe(far)}`,
		];
		return this.pick(links) ?? "";
	}

	/** A thought for a thinking block; absent for most replies. */
	thought(about: string): { readonly think?: string } {
		if (this.roll(3) !== 0) return {};
		const openings = [
			`The question is ${about}.`,
			`Let me think about ${about}.`,
			`Next is ${about}; what do I know already?`,
			`Before more calls: ${about}.`,
		];
		return { think: [this.pick(openings), this.recall(), this.recall()].filter(Boolean).join(" ") };
	}
}

/** How a fact is named in prose. */
export function mention({ kind, name, file, line }: Fact): string {
	if (kind === "test") return `"${name}" (${file}:${line})`;
	if (kind === "code") return `\`${name}\` (${file}:${line})`;
	return `\`${name}\` in ${file}:${line}`;
}

/** A fact with what its docstring says of it. */
export function describe(fact: Fact): string {
	return fact.gist === undefined ? `${mention(fact)}.` : `${mention(fact)}: "${fact.gist}".`;
}

export function read(path: string, offset?: number, limit?: number): Call {
	const range = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
	return { tool: "read", args: { path, ...range } };
}

export function bash(command: string, timeout?: number): Call {
	return { tool: "bash", args: { command, ...(timeout === undefined ? {} : { timeout }) } };
}

export function write(path: string, content: string): Call {
	return { tool: "write", args: { path, content } };
}

export function edit(path: string, ...edits: { readonly oldText: string; readonly newText: string }[]): Call {
	return { tool: "edit", args: { path, edits } };
}
