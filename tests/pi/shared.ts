/** Messages two requests share at their heads. */
export function shared(a: readonly string[], b: readonly string[]): number {
	const differs = a.findIndex((message, index) => message !== b[index]);
	return differs === -1 ? a.length : differs;
}

/** Whether a message is ours: it stands for a fold. */
export function isFold(message: string): boolean {
	return message.startsWith('{"role":"user","content":[{"type":"text","text":"[Written by the runtime');
}

/** Texts of ours that stand in a request, in order. */
export function textsIn(sent: readonly string[]): string[] {
	return sent
		.filter(isFold)
		.flatMap((message) => JSON.parse(message).content.map((block: { text: string }) => block.text));
}
