import type { AgentSession, AgentSessionRuntime } from "@earendil-works/pi-coding-agent";

type Actions = NonNullable<Parameters<AgentSession["bindExtensions"]>[0]["commandContextActions"]>;

/** What commands may do with the session a runtime has now. */
export function actionsIn(runtime: AgentSessionRuntime): Actions {
	const { session } = runtime;
	return {
		waitForIdle: () => session.waitForIdle(),
		newSession: (options) => runtime.newSession(options),
		fork: (entryId, options) => runtime.fork(entryId, options),
		navigateTree: (targetId, options) => session.navigateTree(targetId, options),
		switchSession: (path, options) => runtime.switchSession(path, options),
		reload: () => session.reload(),
	};
}
