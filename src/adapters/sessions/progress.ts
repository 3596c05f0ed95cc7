import { SingleBar } from "cli-progress";

/** Shows how far something has come. */
export interface Progress {
	/** Tells how much of the total is done. */
	update(done: number): void;
	/** Takes the bar away; may be called twice. */
	stop(): void;
}

/** Work that ends sooner, in ms, shows no bar. */
const PATIENCE = 1000;

/** Where a bar is drawn, and which clock tells that the work takes long. */
export interface ProgressOptions {
	/** standard error unless given */
	readonly stream?: NodeJS.WritableStream & { readonly isTTY?: boolean };
	/** ms, from any origin; the monotonic clock unless given */
	readonly now?: () => number;
}

/**
 * A progress bar on standard error for work of `total` steps, drawn once the work has taken a second, and only where
 * a person watches: nothing is written when the stream is no terminal.
 */
export function startProgress(label: string, total: number, options: ProgressOptions = {}): Progress {
	const { stream = process.stderr, now = () => performance.now() } = options;
	if (!stream.isTTY) return { update() {}, stop() {} };
	const began = now();
	let bar: SingleBar | undefined;
	let stopped = false;
	return {
		update(done) {
			if (stopped) return;
			if (bar === undefined) {
				if (now() - began < PATIENCE) return;
				const format = `${label} {bar} {percentage} % · {eta_formatted} left`;
				bar = new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true });
				bar.start(total, done);
			}
			bar.update(done);
		},
		stop() {
			if (!stopped) bar?.stop();
			stopped = true;
		},
	};
}
