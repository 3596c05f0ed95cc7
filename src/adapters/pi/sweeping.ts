/** What stands before a program in a command, and belongs to how it is run. */
const BEFORE = /^(?:sudo|doas|env|command|exec|nohup|time|nice|xargs|then|do|else)$/;

/**
 * Whether a command, as words, takes in all that lies below a folder it names: `deletes` where it removes or moves that,
 * `reads` where it reads or copies it; `undefined` where it does neither.
 */
export function isSweeping(words: readonly string[]): "deletes" | "reads" | undefined {
	const flags = words.filter((word) => /^-/.test(word));
	const isRecursive = flags.some((flag) => /^-[A-Za-z]*[rRa]|^--(?:recursive|archive)$/.test(flag));
	const has = (pattern: RegExp) => words.some((word) => pattern.test(word) && !BEFORE.test(word));
	const isDeleting =
		(isRecursive && has(/(?:^|\/)rm$/i)) ||
		has(/(?:^|\/)(?:mv|trash|trash-put|srm|rimraf|rmtree|shutil\.rmtree|fs\.rmSync|rmSync)$/) ||
		flags.includes("-delete");
	if (isDeleting) return "deletes";
	const isReading =
		(isRecursive && has(/(?:^|\/)(?:cp|scp|[efz]?grep|chmod|chown|diff)$/)) ||
		has(/(?:^|\/)(?:tar|zip|7z|rsync|rg|ag|ack|copytree|shutil\.copytree)$/) ||
		flags.some((flag) => /^-exec(?:dir)?$/.test(flag));
	return isReading ? "reads" : undefined;
}
