import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { DISK_SILENT } from "../../src/adapters/pi/patience.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { disk } from "./held-disk.ts";
import { BILLED, type Host, type HostOptions, QUICK_SETTINGS, type Sandbox } from "./sandbox.ts";

/** A host whose log lies on the held disk. */
export const ON_HELD_DISK: HostOptions = {
	models: BILLED,
	tools: ["fetch", "pi_fold_context"],
	engine: (pi: ExtensionAPI) =>
		registerEngine(pi, () => ({ ...QUICK_SETTINGS, policy: "band" }), { clock: disk }),
};

/** A session in which something is folded, and one request went out since. */
export async function folded(sandbox: Sandbox): Promise<Host> {
	const host = await sandbox.create(ON_HELD_DISK);
	for (let n = 0; n < 3; n++) await host.work(`topic-${n}`, 3, 3_000);
	await host.fold();
	await host.ask("before?");
	return host;
}

/** The disk answers again, and what was begun on it is done. */
export async function answered(host: Host): Promise<void> {
	await disk.release();
	let status: string | undefined;
	do {
		await turnOfOthers();
		await host.session.prompt("/fold-status");
		status = host.said.pop();
	} while (status?.includes(DISK_SILENT));
}
