import { BriefWritten } from "./brief.ts";
import { CommitApplied, CommitUndone } from "./commit.ts";
import { EntryRecorded } from "./entry.ts";
import type { EventOf } from "./envelope.ts";
import { FoldClipped, FoldGrouped, FoldMade } from "./fold.ts";
import { MarkSet } from "./mark.ts";
import { OutputKept, OutputRefused } from "./output.ts";
import { RequestMeasured, RequestPrepared } from "./request.ts";
import { SessionForked, SessionLeafMoved, SessionOpened, SessionSettingsChanged } from "./session.ts";
import { ValuationChanged } from "./valuation.ts";

/** Everything that can happen in a session's stream, in the order of the README's table. */
export const CATALOGUE = [
	SessionOpened,
	SessionForked,
	SessionLeafMoved,
	SessionSettingsChanged,
	EntryRecorded,
	OutputKept,
	OutputRefused,
	ValuationChanged,
	RequestPrepared,
	RequestMeasured,
	MarkSet,
	BriefWritten,
	CommitApplied,
	CommitUndone,
	FoldMade,
	FoldGrouped,
	FoldClipped,
] as const;

/** Any event of the catalogue. */
export type DomainEvent = EventOf<(typeof CATALOGUE)[number]>;
