import type { KeyValue, ScanOptions, WriteBatch } from "./key-value.ts";
import type { KeyRange } from "./keys.ts";

/** An ordered map in memory, for sessions without a file and for tests. Nothing of it outlives the process. */
export function memoryKeyValue(): KeyValue {
	const values = new Map<string, Uint8Array>();
	// latin1 strings compare by code unit, which for them is byte order
	const order: string[] = [];

	function put(key: string, value: Uint8Array): void {
		if (!values.has(key)) order.splice(firstAtLeast(order, key), 0, key);
		values.set(key, value);
	}
	function del(key: string): void {
		if (values.delete(key)) order.splice(firstAtLeast(order, key), 1);
	}
	function* chunks({ gte, lt }: KeyRange, options: ScanOptions = {}): Generator<[Uint8Array, Uint8Array][]> {
		const { chunk = 1000, limit = -1, reverse = false } = options;
		const keys = order.slice(firstAtLeast(order, text(gte)), firstAtLeast(order, text(lt)));
		if (reverse) keys.reverse();
		const found = keys
			.slice(0, limit < 0 ? keys.length : limit)
			.map((key): [Uint8Array, Uint8Array] => [
				Buffer.from(key, "latin1"),
				values.get(key) ?? new Uint8Array(),
			]);
		for (let at = 0; at < found.length; at += chunk) yield found.slice(at, at + chunk);
	}

	return {
		get: (key) => values.get(text(key)),
		batch: () => memoryBatch(put, del),
		async *entries(range, options) {
			yield* chunks(range, options);
		},
		async *keys(range, options) {
			for (const chunk of chunks(range, options)) yield chunk.map(([key]) => key);
		},
		async *values(range, options) {
			for (const chunk of chunks(range, options)) yield chunk.map(([, value]) => value);
		},
		compact: () => Promise.resolve(),
		close: () => Promise.resolve(),
	};
}

function memoryBatch(put: (key: string, value: Uint8Array) => void, del: (key: string) => void): WriteBatch {
	const steps: (() => void)[] = [];
	return {
		put: (key, value) => {
			// a copy: an encoder's buffer is shared
			const [at, kept] = [text(key), Buffer.from(value)];
			steps.push(() => put(at, kept));
		},
		del: (key) => {
			const at = text(key);
			steps.push(() => del(at));
		},
		write: async () => {
			for (const step of steps) step();
		},
	};
}

function text(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Index of the first key not below `key`. */
function firstAtLeast(order: readonly string[], key: string): number {
	let low = 0;
	let high = order.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((order[middle] as string) < key) low = middle + 1;
		else high = middle;
	}
	return low;
}
