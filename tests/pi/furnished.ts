import { expect } from "vitest";
import { callFold } from "./fold-calls.ts";
import { type Host, type HostOptions, QUICK_SETTINGS, type Sandbox, type Sent } from "./sandbox.ts";

/** Everything a model may be given beside its own tools. */
export const TOOLS = ["fetch", "pi_fold_context"];

/** Nothing is folded but what is asked for, so that windows can be compared. */
export const OPTIONS: HostOptions = { tools: TOOLS, settings: { ...QUICK_SETTINGS, policy: "off" } };

/** Ids of the messages on the path, by role. */
export function messages(host: Host, ...roles: string[]): string[] {
	return host.path("message").filter((id) => {
		const entry = host.session.sessionManager.getEntry(id);
		return entry?.type === "message" && roles.includes(entry.message.role);
	});
}

/** The model calls the fold tool, which does it; gives what it was answered. */
export async function fold(host: Host, args: Parameters<typeof callFold>[1]): Promise<string> {
	const { text, failed } = await callFold(host, args);
	expect({ failed, text }).toMatchObject({ failed: false });
	return text;
}

/** Ids of folds of one state, oldest first. */
export async function foldsThat(host: Host, state: string): Promise<string[]> {
	const { rows } = JSON.parse(await fold(host, { action: "status", detail: "tree" }));
	return rows.filter((row: { state: string }) => row.state === state).map(({ id }: { id: string }) => id);
}

/**
 * Works until folds stand with a receipt behind them, one with a supplied brief, one opened, a message pinned, and one
 * fold read back for the moment.
 */
export async function furnish(host: Host): Promise<Host> {
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	const [, pending = ""] = await foldsThat(host, "pending");
	await fold(host, { action: "brief", id: pending, brief: "value_6 is what was looked for" });
	await fold(host, { action: "pin", ids: [host.path("message")[3] ?? ""] });
	await host.fold();
	const standing = await foldsThat(host, "standing");
	await fold(host, { action: "expand", id: standing.at(-1) ?? "" });
	await fold(host, { action: "peek", id: standing[0] ?? "", bytes: 3_000 });
	return host;
}

/** A host on a new session with all that in it. */
export async function furnished(sandbox: Sandbox, options: HostOptions = {}): Promise<Host> {
	return furnish(await sandbox.create({ tools: TOOLS, ...options }));
}

/** Further work, a commit, and what is sent then. */
export async function goOn(host: Host, name = "further"): Promise<Sent> {
	const { length } = host.path("custom");
	for (const topic of ["one", "two", "three"]) await host.work(`${name}-${topic}`);
	await host.fold();
	expect(host.path("custom").length).toBeGreaterThan(length);
	return host.ask(`${name}: and now?`);
}
