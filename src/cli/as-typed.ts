/** A shell takes the quotes away; what holds a space was one thing to whoever typed it. */
export function asTyped(argument: string): string {
	if (!/\s/.test(argument) || argument.includes('"')) return argument;
	const [, key, value] = /^([A-Za-z]+:)(.*)$/s.exec(argument) ?? [];
	return key === undefined ? argument : `${key}"${value}"`;
}
