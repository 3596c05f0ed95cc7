import { sha256Node } from "../../src/store/hash.ts";
import type { KeyValue } from "../../src/store/key-value.ts";
import { Log, type LogParts } from "../../src/store/log.ts";
import { registry } from "./note-events.ts";

/** A log over a database of the test's own, so that its bytes can be reached; it takes the database for a new one. */
export function logOver(kv: KeyValue, parts: Partial<LogParts> = {}): Log {
	const nothing = { places: [], checkpoints: [], nextBlob: 0, damage: [] };
	return new Log({ kv, registry, hash: sha256Node, readOnly: false, ...nothing, ...parts });
}
