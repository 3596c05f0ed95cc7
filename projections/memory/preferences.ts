/** One thing that is to be instead of another. */
export interface Preference {
	readonly chosen: string;
	readonly dropped: string;
}

/** What a clause would have instead of what, as its words say; `undefined` where it weighs nothing. */
export function preferenceIn(clause: string): Preference | undefined {
	const lower = clause.toLowerCase();
	for (const [pattern, order] of PATTERNS) {
		const match = pattern.exec(lower);
		if (!match) continue;
		const before = (match[1] ?? "").trim();
		const behind = (match[2] ?? "").trim();
		if (behind === "") continue;
		if (order === "dropped-first") return { chosen: behind, dropped: before };
		return before === "" ? insteadFirst(behind) : { chosen: before, dropped: behind };
	}
	return undefined;
}

const PATTERNS: readonly (readonly [RegExp, order: "chosen-first" | "dropped-first"])[] = [
	[
		/^(.*?),?\s*(?<![\p{L}\p{N}_-])(?:instead of|rather than|in place of|anstelle von|anstatt|statt|au lieu d(?:e |['’])|plutôt qu(?:e |['’])|en lugar de|en vez de)\s*(.+)$/u,
		"chosen-first",
	],
	[
		/^(?:.*?)(?<![\p{L}\p{N}_-])(?:prefer|bevorzuge|préfère|préférer|préférez|prefiere|preferir)\s+(.+?)\s+(?:over|to|gegenüber|vor|à|a|antes que)\s+(.+)$/u,
		"chosen-first",
	],
	[/^(.*?)(?:代替|替代|取代|而不是|而非)(.+)$/u, "chosen-first"],
	[/^(.*?)(?:而是|换成|換成)(.+)$/u, "dropped-first"],
	[/^(.*?)(?:ではなくて?|じゃなくて?|の代わりに|のかわりに|よりも?)、?(.+)$/u, "dropped-first"],
];

/** `instead of npm, use pnpm`: what is dropped stands first, up to a comma, or is a word. */
function insteadFirst(behind: string): Preference | undefined {
	const [, dropped, chosen] = /^(.+?),\s*(.+)$/.exec(behind) ?? /^(\S+)\s+(.+)$/.exec(behind) ?? [];
	return dropped === undefined || chosen === undefined ? undefined : { chosen, dropped };
}
