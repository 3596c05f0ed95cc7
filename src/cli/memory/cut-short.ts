/** A line that is no longer than `width`; one that was cut ends in an ellipsis. */
export function cutShort(line: string, width: number): string {
	return line.length <= width ? line : `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
