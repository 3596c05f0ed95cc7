import { createInterface } from "node:readline/promises";

/** Asks the user at the terminal; without one nobody agrees. */
export async function agrees(question: string): Promise<boolean> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
	const asking = createInterface({ input: process.stdin, output: process.stderr });
	try {
		const answer = await asking.question(`${question} [y/N] `);
		return /^y(es)?$/i.test(answer.trim());
	} finally {
		asking.close();
	}
}
