import { hashBefore, type StreamPlace } from "./chain.ts";
import {
	type Checkpoint,
	type CheckpointKey,
	checkpointKey,
	decodeCheckpoint,
	encodeCheckpoint,
	isKept,
	nameDigest,
} from "./checkpoint.ts";
import type { KeyValue } from "./key-value.ts";

/** What a new checkpoint writes, and which older ones it makes superfluous. */
export interface CheckpointChange {
	readonly key: Buffer;
	readonly value: Buffer;
	readonly dropped: readonly Buffer[];
}

/** Which checkpoints a store holds, by stream and projection; their states stay on the disk. */
export class CheckpointIndex {
	readonly #kv: KeyValue;
	readonly #byProjection = new Map<string, CheckpointKey[]>();

	constructor(kv: KeyValue, keys: Iterable<CheckpointKey>) {
		this.#kv = kv;
		for (const key of keys) this.#list(key.stream, key.name).push(key);
	}

	/**
	 * Takes a checkpoint into the index and returns what must be written for it. Those of another version of the
	 * projection go, and those of the same version thin out towards the past.
	 */
	add(stream: number, checkpoint: Checkpoint): CheckpointChange {
		const name = nameDigest(checkpoint.name);
		const value = encodeCheckpoint(checkpoint);
		const list = this.#list(stream, name);
		const same = list.filter((key) => key.version === checkpoint.version);
		const ordinal = Math.max(0, ...same.map((key) => key.ordinal)) + 1;
		const added = { stream, name, version: checkpoint.version, ordinal, covers: checkpoint.covers };
		const kept = [...same.filter((key) => isKept(key.ordinal, ordinal)), added];
		const dropped = list.filter((key) => !kept.includes(key)).map(checkpointKey);
		list.splice(0, list.length, ...kept);
		return { key: checkpointKey(added), value, dropped };
	}

	/** The newest sound checkpoint that covers at most `upTo` events of the stream. */
	find(stream: StreamPlace, name: string, version: number, upTo: number): Checkpoint | undefined {
		const within = this.#list(stream.number, nameDigest(name))
			.filter((key) => key.version === version && key.covers <= Math.min(upTo, stream.version))
			.sort((a, b) => b.covers - a.covers || b.ordinal - a.ordinal);
		for (const key of within) {
			const value = this.#kv.get(checkpointKey(key));
			const checkpoint = value && decodeCheckpoint(value);
			if (checkpoint && fits(this.#kv, stream, key, checkpoint) && checkpoint.name === name)
				return checkpoint;
		}
		return undefined;
	}

	#list(stream: number, name: string): CheckpointKey[] {
		const id = `${stream} ${name}`;
		const list = this.#byProjection.get(id) ?? [];
		this.#byProjection.set(id, list);
		return list;
	}
}

/** Whether a checkpoint is the one its key names and stands on the chain as it is. */
export function fits(kv: KeyValue, stream: StreamPlace, key: CheckpointKey, checkpoint: Checkpoint): boolean {
	return (
		checkpoint.covers === key.covers &&
		checkpoint.version === key.version &&
		checkpoint.hash === hashBefore(kv, stream, checkpoint.covers)
	);
}
