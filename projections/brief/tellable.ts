import { namesSecret, WITHHELD, withoutSecrets } from "../secrets.ts";
import type { Block, JsonValue, TranscriptEntry } from "../transcript.ts";
import type { Account, BriefItem, WeighedName } from "./brief.ts";
import { withoutEscapes } from "./escapes.ts";

/**
 * Entries as a brief may tell of them: without what may be a secret, and without terminals' escape sequences. Before
 * anything is cut short or taken apart, for half a secret no longer looks like one.
 */
export function tellable(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
	return entries.map((entry) => ({ ...entry, blocks: entry.blocks.map(tellableBlock) }));
}

/** A text as a brief may tell it. */
export function tellableText(text: string): string {
	return withoutSecrets(withoutEscapes(text));
}

/** What an earlier release put into an index, without the names that may be secrets by themselves. */
export function tellableItems(items: readonly BriefItem[]): BriefItem[] {
	return items.map((item) => ({
		...item,
		head: withoutSecrets(item.head),
		names: tellableNames(item.names),
	}));
}

/** The same of any names. */
export function tellableNames(names: readonly WeighedName[]): WeighedName[] {
	return names.filter(([name]) => !name.includes(WITHHELD) && withoutSecrets(name) === name);
}

/** The same of what an earlier release quoted. */
export function tellableAccount(account: Account): Account {
	const { asked, ended } = account;
	return {
		...account,
		...(asked !== undefined && { asked: withoutSecrets(asked) }),
		...(ended !== undefined && { ended: withoutSecrets(ended) }),
	};
}

function tellableBlock(block: Block): Block {
	if (block.type === "image") return block;
	if (block.type === "call") return { ...block, args: tellableArgument(block.args, "") };
	return { ...block, text: tellableText(block.text) };
}

/** As {@link tellableText}, and nothing at all of a field whose name says that it holds a secret. */
function tellableArgument(value: JsonValue, field: string): JsonValue {
	if (typeof value === "string") return namesSecret(field, value) ? WITHHELD : tellableText(value);
	if (typeof value === "number") return namesSecret(field, value) ? WITHHELD : value;
	if (value === null || typeof value !== "object") return value;
	if (Array.isArray(value)) return value.map((item: JsonValue) => tellableArgument(item, field));
	return Object.fromEntries(
		Object.entries(value).map(([name, inside]) => [name, tellableArgument(inside, name)]),
	);
}
