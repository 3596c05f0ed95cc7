import { spawn } from "node:child_process";

/**
 * Has the user's browser open an address, which others on this machine can read among the arguments of programs; whether a
 * program for that could be started.
 */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
	const [command, ...args] = openerOf(platform);
	return new Promise((resolve) => {
		const child = spawn(command, [...args, url], { detached: true, stdio: "ignore" });
		child.once("error", () => resolve(false));
		child.once("spawn", () => resolve(true));
		child.unref();
	});
}

function openerOf(platform: NodeJS.Platform): [command: string, ...args: string[]] {
	if (platform === "darwin") return ["open"];
	if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
	return ["xdg-open"];
}
