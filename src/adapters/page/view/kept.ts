import { useState } from "preact/hooks";

const values = new Map<string, unknown>();

/** A state by its name, which is as it was when the panel that holds it is opened again. */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
	const [value, setValue] = useState(() => (values.has(name) ? (values.get(name) as T) : initial));
	const keep = (next: T) => {
		values.set(name, next);
		setValue(() => next);
	};
	return [value, keep];
}
