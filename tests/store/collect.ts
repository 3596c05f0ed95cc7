/** Everything an async iterable gives, in order. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
	const found: T[] = [];
	for await (const item of source) found.push(item);
	return found;
}
