import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, ask, known } from "./api.ts";
import { usePage } from "./state.ts";

/** An answer as far as it is there. */
export interface Answer<T> {
	/** that of the path asked last; while it is on its way, the one before */
	readonly value: T | undefined;
	/** the value is not the one asked for, or not there yet */
	readonly stale: boolean;
	readonly error: ApiError | undefined;
}

/** A question that takes longer than this is given up when another is asked, ms. */
const PATIENCE = 1000;

interface Held {
	path: string | undefined;
	value: unknown;
	error: ApiError | undefined;
}

/**
 * Asks the server for a path and asks again when the log has grown. One question is on its way at a time: while the
 * playhead moves, those between are never asked, and the newest is asked when the one before is answered.
 */
export function useAnswer<T>(path: string | undefined): Answer<T> {
	const version = usePage(({ session }) => session?.head.version ?? 0);
	const [held, hold] = useState<Held>({ path: undefined, value: undefined, error: undefined });
	const wanted = useRef<string | undefined>(path);
	const flight = useRef<{ since: number; control: AbortController } | undefined>(undefined);
	wanted.current = path;

	useEffect(() => {
		if (path === undefined) return;
		const there = flight.current;
		if (there && performance.now() - there.since < PATIENCE) return;
		there?.control.abort();
		const run = async () => {
			for (;;) {
				const asked = wanted.current;
				if (asked === undefined) break;
				const control = new AbortController();
				flight.current = { since: performance.now(), control };
				let answer: Held;
				try {
					answer = { path: asked, value: await ask<T>(asked, control.signal), error: undefined };
				} catch (error) {
					if (control.signal.aborted) return;
					answer = { path: asked, value: undefined, error: error as ApiError };
				}
				if (control.signal.aborted) return;
				hold(answer);
				if (wanted.current === asked) break;
			}
			flight.current = undefined;
		};
		void run();
	}, [path, version]);
	useEffect(() => () => flight.current?.control.abort(), []);

	const ready = path === undefined ? undefined : known<T>(path);
	if (ready !== undefined) return { value: ready, stale: false, error: undefined };
	const fits = held.path === path;
	return { value: held.value as T | undefined, stale: !fits, error: fits ? held.error : undefined };
}
