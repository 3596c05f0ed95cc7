import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** Preloaded into a process, writes the address of every module it loads to the file that `LOADED_TO` names. */
const addresses: string[] = [];
registerHooks({
	load(url, context, nextLoad) {
		addresses.push(url);
		return nextLoad(url, context);
	},
});
process.on("exit", () => writeFileSync(process.env.LOADED_TO as string, JSON.stringify(addresses)));
