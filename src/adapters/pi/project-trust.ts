import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { agentDirectory } from "../../store/identity.ts";

/** Where a session runs, and whether the host takes its project for trusted. */
export type Place = Pick<ExtensionContext, "cwd" | "isProjectTrusted">;

/** Folders that somebody decided about, as far as this process learnt. */
const decided = new Map<string, boolean>();

/**
 * Learns whether anybody decided that a project is trusted. The host takes one for trusted, too, in which it found nothing to
 * ask about, and a file of ours is nothing of that kind to it. Never throws; what the host does not tell is a no.
 */
export async function learnTrust({ cwd }: Place): Promise<void> {
	decided.set(cwd, await isDecided(cwd).catch(() => false));
}

/** Whether somebody trusted a project, as learnt when a session in it began, and the host does still. Never throws. */
export function wasTrusted(place: Place): boolean {
	try {
		return decided.get(place.cwd) === true && place.isProjectTrusted();
	} catch {
		return false;
	}
}

/** Whether the host had something to ask about, so that its answer is one, or keeps a yes for the folder. */
async function isDecided(cwd: string): Promise<boolean> {
	const { hasTrustRequiringProjectResources: hasToAsk, ProjectTrustStore } = await import(
		"@earendil-works/pi-coding-agent"
	);
	if (typeof hasToAsk === "function" && hasToAsk(cwd)) return true;
	const agent = agentDirectory();
	// asking makes files for a lock
	if (typeof ProjectTrustStore !== "function" || !existsSync(join(agent, "trust.json"))) return false;
	return new ProjectTrustStore(agent).get(cwd) === true;
}
