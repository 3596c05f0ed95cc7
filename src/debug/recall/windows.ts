import { DEFAULT_SETTINGS, type Settings } from "../../../projections/rules.ts";
import { scheduleOf } from "../compare.ts";
import { type Recording, traceOf } from "../trace.ts";
import type { TrajectoryRequest } from "../trajectory.ts";
import { trajectoryOf } from "../trajectory-of.ts";

/** What the model would have seen at each request of a session, and in windows of which size. */
export interface Windows {
	/** `small`: of 40,000 tokens, where nothing leaves those of the usual size */
	readonly size: "usual" | "small";
	readonly trajectory: readonly TrajectoryRequest[];
}

/** Settings under which something leaves the window of a session that the policy never folds. */
const SMALL: Settings = { ...DEFAULT_SETTINGS, inputBudget: 40_000, floorTokens: 16_000 };

/** The windows of a recorded session, `usual` wherever something leaves these. `onTried` is called behind the first try. */
export async function windowsOf(recording: Recording, onTried: () => void = () => {}): Promise<Windows> {
	const trajectory = await trajectoryUnder(recording, DEFAULT_SETTINGS);
	onTried();
	if (trajectory.some(({ view }) => view.folded > 0)) return { size: "usual", trajectory };
	return smallWindowsOf(recording);
}

/** The windows it would have had at 40,000 tokens. */
export async function smallWindowsOf(recording: Recording): Promise<Windows> {
	return { size: "small", trajectory: await trajectoryUnder(recording, SMALL) };
}

async function trajectoryUnder(recording: Recording, settings: Settings): Promise<TrajectoryRequest[]> {
	const trace = await traceOf(recording, settings);
	return trajectoryOf(trace, await scheduleOf(recording, settings, true));
}
