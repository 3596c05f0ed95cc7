import { go } from "./place.ts";
import { change, follow, requests, state } from "./state.ts";

/** Speeds to play at, in times of two requests a second. */
export const SPEEDS = [1, 4, 16] as const;

/** How long a request is looked at where the speed is 1, ms. */
const EACH = 500;

/** Plays on from the playhead, from the start where it stands at the end; or stops. */
export function togglePlay(): void {
	const { playing, speed, at } = state();
	if (playing > 0 || requests() < 2) {
		change({ playing: 0 });
		return;
	}
	if (at >= requests()) go({ at: 1 }, true);
	change({ playing: speed });
}

/** Sets the speed, of what plays as well. */
export function setSpeed(speed: number): void {
	change({ speed, ...(state().playing > 0 && { playing: speed }) });
}

/** Moves the playhead while something plays. Returns what ends that. */
export function keepPlaying(): () => void {
	let frame = 0;
	let since = 0;
	let owed = 0;
	const step = (now: number) => {
		const { playing, at } = state();
		if (playing === 0) return;
		owed += ((now - since) * playing) / EACH;
		since = now;
		const by = Math.floor(owed);
		owed -= by;
		if (by > 0) go({ at: at + by }, true);
		if (state().at >= requests()) change({ playing: 0 });
		else frame = requestAnimationFrame(step);
	};
	const unfollow = follow((now, before) => {
		if (now.playing === 0 || before.playing > 0) return;
		since = performance.now();
		owed = 0;
		frame = requestAnimationFrame(step);
	});
	return () => {
		cancelAnimationFrame(frame);
		unfollow();
	};
}
