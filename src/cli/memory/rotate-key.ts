import type { Command } from "commander";
import { Keyring, keyringPath } from "../../engine/memory/keyring.ts";
import { agentDirectory } from "../../store/identity.ts";
import { printJson, printLines } from "../terminal.ts";

interface RotateOptions {
	readonly json?: boolean;
}

/** `memory rotate-key`: sign with a new key from now on. */
export function addRotateKey(memory: Command): void {
	memory
		.command("rotate-key")
		.description("add a key that signs what you have remembered from now on; those before it go on verifying")
		.option("--json", "one JSON object")
		.action(runRotateKey);
}

async function runRotateKey({ json }: RotateOptions): Promise<void> {
	const path = keyringPath(agentDirectory());
	const keyring = Keyring.open(path);
	const key = keyring.rotate(Date.now());
	if (json) await printJson({ key, keys: keyring.size, keyring: path });
	else
		await printLines([
			`${key} signs from now on`,
			`${path} holds ${keyring.size === 1 ? "no other" : `${keyring.size} keys, which all verify`}`,
		]);
}
