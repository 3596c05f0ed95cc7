import type { TranscriptEntry } from "../../projections/transcript.ts";
import { inForce } from "./bill.ts";
import type { SizedEntry } from "./sizes.ts";
import type { CommitOption, Trace } from "./trace.ts";
import type { TrajectoryRequest, WindowView } from "./trajectory.ts";

/** What the model saw at each request of a recording under a schedule of commits. */
export function trajectoryOf(trace: Trace, schedule: ReadonlySet<number>): TrajectoryRequest[] {
	return trajectoryUnder(trace, inForce(trace, schedule));
}

/** What the model saw at each request, given the commit in force there. */
export function trajectoryUnder(
	trace: Trace,
	commits: readonly (CommitOption | undefined)[],
): TrajectoryRequest[] {
	const paths = new Paths(trace.entries);
	return trace.requests.map(({ index, leaf, reply }) => {
		const path = paths.to(leaf);
		return { view: viewUnder(commits[index], path), upTo: (leaf?.depth ?? -1) + 1, reply };
	});
}

/** Entries from a root, and where each one stands. Depth is index. */
interface Path {
	readonly entries: readonly TranscriptEntry[];
	readonly views: Map<CommitOption | undefined, WindowView>;
}

/** Follows the leaf; one list serves as long as the leaf only moves on. */
class Paths {
	private readonly byId: ReadonlyMap<string, TranscriptEntry>;
	private current = noPath();

	constructor(entries: readonly TranscriptEntry[]) {
		this.byId = new Map(entries.map((entry) => [entry.id, entry]));
	}

	to(leaf: SizedEntry | undefined): Path {
		const tip = this.current.entries.at(-1)?.id;
		const added: TranscriptEntry[] = [];
		let node = leaf;
		for (; node && node.id !== tip; node = node.parent) added.push(this.byId.get(node.id) as TranscriptEntry);
		if (!node && tip !== undefined) this.current = noPath();
		this.current.entries.push(...added.reverse());
		return this.current;
	}
}

function noPath(): Path & { readonly entries: TranscriptEntry[] } {
	return { entries: [], views: new Map() };
}

function viewUnder(commit: CommitOption | undefined, path: Path): WindowView {
	const known = path.views.get(commit);
	if (known) return known;
	const indexOf = (id: string) => path.entries.findIndex((entry) => entry.id === id);
	const view: WindowView = {
		path: path.entries,
		folded: commit ? commit.foldedTo.depth + 1 : 0,
		kept: new Set(commit?.held),
		clipped: commit?.clips ?? new Map(),
		texts: (commit?.texts ?? []).map(({ fold, text, brief, from, to }) => ({
			id: fold,
			text,
			brief,
			first: indexOf(from),
			last: indexOf(to),
		})),
	};
	path.views.set(commit, view);
	return view;
}
