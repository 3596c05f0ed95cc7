#!/usr/bin/env node
/** The command line. Everything else is loaded once the Node that runs it is known to be new enough. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
	const { runProcess } = await import("./cli/main.ts");
	await runProcess(process.argv.slice(2));
} else {
	console.error(
		`CLI_OLD_NODE: palimpsest needs Node 22.19 or newer, and this is Node ${process.versions.node}`,
	);
	process.exitCode = 2;
}
