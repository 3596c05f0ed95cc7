import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** The oldest release of the host we run on. */
export const OLDEST_HOST = "1.4.0";

/** What this extension asks of the host's API, whatever the release calls itself. */
const ASKED = ["on", "registerCommand", "registerTool", "appendEntry", "getAllTools", "getCommands"] as const;

/**
 * Why this host cannot run us, in a sentence; `undefined` where it can. Older hosts take hooks they never call without
 * a word, so a release is known by its number first, and where it has none by its API.
 */
export async function tooOld(pi: ExtensionAPI): Promise<string | undefined> {
	const version = await hostVersion();
	if (version === undefined) {
		const missing = ASKED.find((name) => typeof pi[name] !== "function");
		return missing && `needs Pi ${OLDEST_HOST} or later; this one has no ${missing}: it does nothing here`;
	}
	if (isAtLeast(version, OLDEST_HOST)) return undefined;
	return `needs Pi ${OLDEST_HOST} or later; this is ${version}: it does nothing here`;
}

async function hostVersion(): Promise<string | undefined> {
	try {
		const { VERSION }: { VERSION?: unknown } = await import("@earendil-works/pi-coding-agent");
		return typeof VERSION === "string" && /^\d/.test(VERSION) ? VERSION : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a release is another or a later one, by the numbers alone: a release candidate counts as its release. */
export function isAtLeast(version: string, oldest: string): boolean {
	const [numbers, floor] = [version, oldest].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
	for (const [place, least] of (floor ?? []).entries()) {
		const number = numbers?.[place] ?? 0;
		if (number !== least) return number > least;
	}
	return true;
}
