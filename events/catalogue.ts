import { BriefRewritten, BriefSupplied, BriefWritten } from "./brief.ts";
import { CommitApplied, CommitObserved, CommitUndone } from "./commit.ts";
import {
	CompactionCheckpointed,
	CompactionFailed,
	CompactionIntercepted,
	CompactionSummarised,
} from "./compaction.ts";
import { EngineResumed, EngineSuspended } from "./engine.ts";
import { EntryRecorded } from "./entry.ts";
import type { EventOf } from "./envelope.ts";
import {
	FoldClipped,
	FoldExpanded,
	FoldGrouped,
	FoldMade,
	FoldPeeked,
	FoldRefolded,
	FoldReleased,
} from "./fold.ts";
import { MarkRecut, MarkSet, MarkWithdrawn } from "./mark.ts";
import {
	MemoryConfirmed,
	MemoryDerived,
	MemoryImported,
	MemoryMoved,
	MemoryPinned,
	MemoryProposed,
	MemoryRecorded,
	MemoryResolved,
	MemoryRestored,
	MemorySuperseded,
	MemoryTrusted,
	MemoryUnpinned,
} from "./memory.ts";
import { OutputKept, OutputRefused } from "./output.ts";
import { PayloadShredded } from "./payload.ts";
import { PinLifted, PinPlaced } from "./pin.ts";
import { ReasoningChanged } from "./reasoning.ts";
import { RequestMeasured, RequestPrepared } from "./request.ts";
import { SessionForked, SessionLeafMoved, SessionOpened, SessionSettingsChanged } from "./session.ts";
import { ShownAppended } from "./shown.ts";
import { ValuationChanged } from "./valuation.ts";

/** Everything that can happen in a session's stream or a workspace's, in the order of the README's table. */
export const CATALOGUE = [
	SessionOpened,
	SessionForked,
	SessionLeafMoved,
	SessionSettingsChanged,
	EntryRecorded,
	OutputKept,
	OutputRefused,
	ValuationChanged,
	ReasoningChanged,
	RequestPrepared,
	RequestMeasured,
	MarkSet,
	MarkWithdrawn,
	MarkRecut,
	BriefWritten,
	BriefRewritten,
	BriefSupplied,
	CommitApplied,
	CommitObserved,
	CommitUndone,
	FoldMade,
	FoldGrouped,
	FoldClipped,
	FoldExpanded,
	FoldRefolded,
	FoldPeeked,
	FoldReleased,
	PinPlaced,
	PinLifted,
	ShownAppended,
	MemoryRecorded,
	MemoryProposed,
	MemoryDerived,
	MemoryConfirmed,
	MemorySuperseded,
	MemoryPinned,
	MemoryUnpinned,
	MemoryResolved,
	MemoryRestored,
	MemoryTrusted,
	MemoryImported,
	MemoryMoved,
	PayloadShredded,
	CompactionIntercepted,
	CompactionCheckpointed,
	CompactionSummarised,
	CompactionFailed,
	EngineSuspended,
	EngineResumed,
] as const;

/** Any event of the catalogue. */
export type DomainEvent = EventOf<(typeof CATALOGUE)[number]>;
