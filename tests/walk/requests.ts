import type { DomainEvent } from "../../events/catalogue.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { same } from "./compare.ts";
import type { Path } from "./reference-path.ts";
import { isWeighed, planSize, scaleOf } from "./reference-sizes.ts";
import { compactionOf, digestOf, lay } from "./reference-window.ts";
import type { Growth } from "./steps.ts";

import { STREAM, type WalkState } from "./walk-state.ts";

/** What comes of the session is recorded; a reply is asked for first. */
export async function grow(w: WalkState, step: Growth): Promise<void> {
	const host = w.host;
	if (step.does === "exchange") {
		const chars = await prepare(w);
		const usage = {
			input: 300 + Math.round(chars / (3 + (step.size % 3))),
			output: 50,
			cacheRead: 0,
			cacheWrite: 0,
		};
		const [provider = "", model = ""] = w.valuation.model.split("/");
		const [reply, ...results] = host.grow(step, { model: { provider, model }, usage });
		if (!reply) return;
		await w.record(reply);
		await measure(w, reply);
		for (const entry of results) await w.record(entry);
		return;
	}
	for (const entry of host.grow(step, {})) await w.record(entry);
	if (step.does === "goto")
		await w.engine.note([{ type: "session/leafMoved", data: { leaf: host.leaf } }], host.at, "user");
}

/** A request goes out: what is said of its window must be so. Gives the characters in it. */
async function prepare(w: WalkState): Promise<number> {
	const request = w.request();
	await w.sent.prepare(request);
	const prepared = newest(w, "request/prepared");
	const path = w.reference.path(request.leaf);
	const laid = w.filled(path, lay(path, path.plan, w.world));
	same(prepared.window, digestOf(laid), "digest of what was sent");
	same(prepared.items, laid.length, "items sent");
	same(prepared.commit, path.plan.commit?.name, "commit in force");
	const scale = scaleOf(w.world.told);
	const tokens = scale.base + scale.tokens(planSize(path, path.plan, w.world, laid));
	same(
		!isWeighed(path) || Math.abs(prepared.tokens - tokens) < 1,
		true,
		`${prepared.tokens} tokens sent, not ${tokens}`,
	);
	const keys = laid.map(({ key }) => key);
	compareChange(w, prepared.change, keys, path);
	w.last = { keys, path };
	return laid.reduce((sum, one) => sum + one.chars, 0);
}

function compareChange(
	w: WalkState,
	change: { item: number; cause: string } | undefined,
	keys: string[],
	path: Path,
): void {
	if (!w.last) {
		same(change, undefined, "change of the first window");
		return;
	}
	const differs = w.last.keys.findIndex((key, n) => key !== keys[n]);
	same(change?.item ?? -1, differs, "first item that changed");
	if (change)
		same([change.cause], causesBetween(w.last.path, path, w.walk.heedsCompactions), "why it changed");
}

async function measure(w: WalkState, reply: TranscriptEntry): Promise<void> {
	const leaf = reply.parent;
	const path = w.reference.path(leaf);
	const laid = w.filled(path, lay(path, path.plan, w.world));
	await w.sent.measure(reply);
	const { chars, images } = newest(w, "request/measured");
	if (!isWeighed(path)) return;
	same({ chars, images }, planSize(path, path.plan, w.world, laid), "size of what was measured");
}

function newest<T extends "request/prepared" | "request/measured">(
	w: WalkState,
	type: T,
): Extract<DomainEvent, { type: T }>["data"] {
	const event = w.store.event(STREAM, w.engine.version - 1);
	if (event?.type !== type) throw new Error(`the newest event is ${event?.type}, not ${type}`);
	return event.data as never;
}

/** What may have changed earlier bytes of a window between two leaves. */
function causesBetween(before: Path, path: Path, heeds: boolean): string[] {
	if (path.steps[before.steps.length - 1]?.id !== before.leaf) return ["leaf"];
	const later = path.steps.slice(before.steps.length);
	const causes: string[] = [];
	const moving = later.findLast(({ made }) => made && MOVING.includes(made.kind))?.made;
	if (moving) causes.push(moving.kind);
	if (compactionOf(before, heeds)?.step.id !== compactionOf(path, heeds)?.step.id) causes.push("compaction");
	if (later.some(({ entry }) => entry.target)) causes.push("contextEdit");
	if (later.some(({ asker }) => asker && asker.at < before.steps.length)) causes.push("answer");
	return causes.slice(0, 1);
}

/** Decisions that move what stands in a window. */
const MOVING = ["commit", "expand", "refold", "pin", "undo"];
