import type { WeighedName } from "./brief.ts";

/** The `most` heaviest names, heaviest first; equal ones by code unit. */
export function heaviest(names: readonly WeighedName[], most: number): WeighedName[] {
	return [...names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
}
