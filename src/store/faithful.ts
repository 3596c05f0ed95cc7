const DEEPEST = 64;

/**
 * Whether all of a value but the text in it would come back from storage: the part of {@link unfaithful} that must look
 * at every value, kept free of words. On the way of every append.
 */
export function keepsShape(value: unknown, depth = 0): boolean {
	if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
	if (typeof value === "number") return Number.isFinite(value) && (value !== 0 || 1 / value > 0);
	if (typeof value !== "object" || depth === DEEPEST) return false;
	// most of what an event holds is text: no call for it
	if (Array.isArray(value)) {
		for (let index = 0; index < value.length; index++) {
			const item: unknown = value[index];
			if (typeof item !== "string" && !keepsShape(item, depth + 1)) return false;
		}
		return true;
	}
	const prototype = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== null) return value instanceof Uint8Array;
	for (const key in value) {
		const field = (value as Record<string, unknown>)[key];
		if (key === "__proto__" || (typeof field !== "string" && !keepsShape(field, depth + 1))) return false;
	}
	return true;
}

/**
 * What in a value would not come back from storage as it went in, or `undefined` if all of it would. Payloads are
 * JSON's values and byte arrays: no `undefined`, no NaN or infinity, no -0, no lone surrogate, no `__proto__` key, no
 * instance of a class, no hole in an array, at most 64 levels.
 */
export function unfaithful(value: unknown, depth = 0): string | undefined {
	switch (typeof value) {
		case "string":
			return value.isWellFormed() ? undefined : "a string with a lone surrogate";
		case "number":
			return Number.isFinite(value) && !Object.is(value, -0)
				? undefined
				: `the number ${Object.is(value, -0) ? "-0" : value}`;
		case "boolean":
			return undefined;
		case "object":
			if (value === null || value instanceof Uint8Array) return undefined;
			if (depth === DEEPEST) return `more than ${DEEPEST} levels`;
			return Array.isArray(value) ? unfaithfulArray(value, depth) : unfaithfulObject(value, depth);
		default:
			return `a value of type ${typeof value}`;
	}
}

function unfaithfulArray(values: readonly unknown[], depth: number): string | undefined {
	// by index: `for…of` and `some` treat holes differently, and a hole would come back as a value
	for (let index = 0; index < values.length; index++) {
		const problem = unfaithful(values[index], depth + 1);
		if (problem) return `${problem} at [${index}]`;
	}
	return undefined;
}

function unfaithfulObject(value: object, depth: number): string | undefined {
	const prototype = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== null)
		return `an instance of ${value.constructor?.name}`;
	for (const key of Object.keys(value)) {
		if (key === "__proto__" || !key.isWellFormed()) return `the key ${JSON.stringify(key)}`;
		const problem = unfaithful((value as Record<string, unknown>)[key], depth + 1);
		if (problem) return `${problem} at .${key}`;
	}
	return undefined;
}
