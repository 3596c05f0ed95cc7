import type { KeybindingsManager } from "@earendil-works/pi-coding-agent";

const ARROWS: { readonly [key: string]: string } = {
	left: "←",
	right: "→",
	up: "↑",
	down: "↓",
	escape: "esc",
};

/** The first key of a binding as people read it; nothing where the user took all keys from it. */
export function keyText(
	keybindings: Pick<KeybindingsManager, "getKeys">,
	name: Parameters<KeybindingsManager["getKeys"]>[0],
): string {
	const [key = ""] = keybindings.getKeys(name);
	return ARROWS[key] ?? key;
}
