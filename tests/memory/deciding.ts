import { decidePropose, type Propose } from "../../src/commands/memory/propose.ts";
import { decideRemember, type Remember } from "../../src/commands/memory/remember.ts";
import { type GivenMemory, SOMEBODY } from "./given.ts";

/** What a user's remembering of a text comes to; nothing is written. */
export function remember(given: GivenMemory, text: string, more: Partial<Remember> = {}) {
	return decideRemember(given, { ...SOMEBODY, id: given.id(), text, ...more });
}

/** What a proposal of the model's comes to; nothing is written. */
export function propose(given: GivenMemory, text: string, more: Partial<Propose> = {}) {
	return decidePropose(given, { ...SOMEBODY, id: given.id(), text, ...more });
}

/** Has a user remember a text; gives its id. */
export function remembered(given: GivenMemory, text: string, more: Partial<Remember> = {}): string {
	return given.write(remember(given, text, more), "user");
}

/** Has the model propose a text; gives its id. */
export function proposed(given: GivenMemory, text: string, more: Partial<Propose> = {}): string {
	return given.write(propose(given, text, more), "model", more.now ?? 0);
}

/** The code of what an act throws; `undefined` where it throws nothing. */
export function code(act: () => unknown): string | undefined {
	try {
		act();
		return undefined;
	} catch (error) {
		return (error as { code?: string }).code;
	}
}
