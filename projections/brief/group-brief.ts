import { mergedAccount } from "./account.ts";
import type { Brief, BriefItem } from "./brief.ts";
import { rendered } from "./render.ts";

/** Most characters of a group's brief. */
export const GROUP_CHARS = 2000;

/** The brief of a group: its children's accounts added up, and their indexes merged head by head. */
export function groupBrief(children: readonly Brief[], room: number = GROUP_CHARS): Brief {
	const account = mergedAccount(children.map((child) => child.account));
	return rendered(account, mergedItems(children), room);
}

function mergedItems(children: readonly Brief[]): BriefItem[] {
	const items = new Map<string, { tool: string; weight: number; names: Map<string, number> }>();
	for (const item of children.flatMap((child) => child.items)) {
		const known = items.get(item.head) ?? { tool: item.tool, weight: 0, names: new Map<string, number>() };
		const names = known.names;
		for (const [name, weight] of item.names)
			names.set(name, Math.min(1 << 24, (names.get(name) ?? 0) + weight));
		items.set(item.head, { tool: known.tool, weight: Math.min(1 << 24, known.weight + item.weight), names });
	}
	return [...items].map(([head, { tool, weight, names }]) => ({ head, tool, weight, names: [...names] }));
}
