import { startProgress } from "../adapters/sessions/progress.ts";

/** Told how much of a whole is done. */
export type Advance = (done: number) => void;

/** Runs work behind a progress bar of `total` steps; it shows on a terminal once the work takes a second. */
export async function withBar<T>(
	label: string,
	total: number,
	work: (advance: Advance) => Promise<T>,
): Promise<T> {
	const progress = startProgress(label, total);
	try {
		return await work((done) => progress.update(done));
	} finally {
		progress.stop();
	}
}
