import { isOfMemory, proofOf } from "../engine/memory/facts.ts";
import { Keyring, keyringPath } from "../engine/memory/keyring.ts";
import { KeyringError } from "../engine/memory/keyring-error.ts";
import { agentDirectory } from "../store/identity.ts";
import type { VerifyOptions } from "../store/store.ts";

/** What this machine can say of events of memory; nothing where it has no keyring to check them by. */
export function proverHere(): Required<Pick<VerifyOptions, "proof">> | undefined {
	const keyring = keyringHere();
	if (!keyring) return undefined;
	return {
		proof: (raw, sealed) => {
			if (!isOfMemory(raw.type) || !isSaidToBeUsers(raw)) return undefined;
			const proof = proofOf(raw, sealed, keyring);
			return proof === "verified" ? undefined : proof;
		},
	};
}

function keyringHere(): Keyring | undefined {
	try {
		const keyring = Keyring.open(keyringPath(agentDirectory()));
		return keyring.size > 0 ? keyring : undefined;
	} catch (error) {
		if (error instanceof KeyringError) return undefined;
		throw error;
	}
}

function isSaidToBeUsers({ type, actor, data }: { type: string; actor: string; data: unknown }): boolean {
	if (type !== "memory/imported") return actor === "user";
	return (data as { readonly origin?: { readonly actor?: unknown } }).origin?.actor === "user";
}
