import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/**
 * Asks the user whether something is to be done that cannot be undone, or that speaks for him: `No` stands first, so that a
 * key pressed too early does nothing. Leaving the question is a no.
 */
export async function isAgreed({ ui }: ExtensionContext, title: string, question: string): Promise<boolean> {
	return (await ui.select(`${title}\n${question}`, ["No", "Yes"])) === "Yes";
}
