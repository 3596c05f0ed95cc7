import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { registerForgetCommand } from "./forget-command.ts";
import { registerMemoriesCommand } from "./memories-command.ts";
import type { MemoryContext } from "./memory-at.ts";
import { MEMORY_TOOLS, registerMemoryTools } from "./memory-tools.ts";
import { registerRememberCommand } from "./remember-command.ts";

/** Puts the commands and the tools of memory into a host. The tools are offered as long as memory is on. */
export function registerMemoryUse(pi: ExtensionAPI, context: MemoryContext): void {
	registerRememberCommand(pi, context);
	registerMemoriesCommand(pi, context);
	registerForgetCommand(pi, context);
	registerMemoryTools(pi, context);
	const withheld = new Set<string>();
	const heed = (ctx: ExtensionContext) => {
		const config = context.config(ctx);
		// where another extension sees to memory, tools of these names may be its own
		if (!config) return;
		if (config.memory.enabled) {
			if (withheld.size > 0) pi.setActiveTools([...pi.getActiveTools(), ...withheld]);
			withheld.clear();
			return;
		}
		const active = pi.getActiveTools();
		const ours = active.filter((name) => MEMORY_TOOLS.some((tool) => tool === name));
		if (ours.length === 0) return;
		for (const name of ours) withheld.add(name);
		pi.setActiveTools(active.filter((name) => !withheld.has(name)));
	};
	pi.on("session_start", (_event, ctx) => heed(ctx));
	pi.on("before_agent_start", (_event, ctx) => heed(ctx));
}
