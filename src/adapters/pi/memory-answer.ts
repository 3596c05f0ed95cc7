/** What a tool of memory answers. */
export interface MemoryAnswer {
	readonly text: string;
	readonly details: { readonly [field: string]: unknown };
	/** whether nothing came of it */
	readonly isError?: boolean;
}

type Details = MemoryAnswer["details"];

/** An answer as it was asked for. */
export function answered(text: string, details: Details): MemoryAnswer {
	return { text, details: { source: "memory-log", ...details } };
}

/** That something is not to be had, or may not be. */
export function refused(text: string, details: Details): MemoryAnswer {
	return { ...answered(text, details), isError: true };
}
