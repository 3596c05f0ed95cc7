import process from "node:process";
import { type ExtensionFactory, SessionManager } from "@earendil-works/pi-coding-agent";
import { OPTIONS } from "./checkpointed.ts";
import { Host } from "./sandbox.ts";

// A host on a session there is, which compacts it and is killed when it comes to a hook, before ours or behind it.
const [cwd = "", file = "", hook = "", side = ""] = process.argv.slice(2);
const killed: ExtensionFactory = (pi) => {
	pi.on(hook as "session_compact", () => {
		process.kill(process.pid, "SIGKILL");
	});
};
const host = await Host.open(cwd, SessionManager.open(file), { ...OPTIONS, [side]: [killed] });
await host.session.compact();
