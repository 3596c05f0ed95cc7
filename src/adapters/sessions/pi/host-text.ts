import { asString } from "./raw-entry.ts";

type Fields = { readonly [field: string]: unknown };

/** The text the host shows the model for a command the user ran. Held to the host's own function by a test. */
export function bashText(message: Fields): string {
	const output = asString(message.output);
	let text = `Ran \`${message.command}\`\n`;
	text += output ? `\`\`\`\n${output}\n\`\`\`` : "(no output)";
	if (message.cancelled) text += "\n\n(command cancelled)";
	else if (typeof message.exitCode === "number" && message.exitCode !== 0) {
		text += `\n\nCommand exited with code ${message.exitCode}`;
	}
	if (message.truncated && message.fullOutputPath) {
		text += `\n\n[Output truncated. Full output: ${message.fullOutputPath}]`;
	}
	return text;
}

/** The text the host shows the model in place of what it compacted. */
export function compactionText(summary: string): string {
	const lead = "The conversation history before this point was compacted into the following summary:";
	return `${lead}\n\n<summary>\n${summary}\n</summary>`;
}

/** The text the host shows the model for a branch that was left. */
export function branchSummaryText(summary: string): string {
	const lead = "The following is a summary of a branch that this conversation came back from:";
	return `${lead}\n\n<summary>\n${summary}</summary>`;
}
