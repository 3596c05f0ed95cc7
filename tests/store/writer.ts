/**
 * A process that waits for a byte on its standard input, then writes to the store in `argv[2]` until it is killed. It
 * says on its standard output when it has loaded and opened the store (`loaded`, `opened`) and what was acknowledged: `version hash blob` an append.
 */
import { readSync, writeSync } from "node:fs";
import type { TSchema } from "@sinclair/typebox";
import { createRegistry } from "../../events/registry.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openStore } from "../../src/store/open-store.ts";

/** The stream it writes to. */
export const WRITTEN = "session/written";

/** What it writes: made by hand, since loading TypeBox takes longer than these processes live. */
export const tickRegistry = createRegistry([
	{ type: "tick/counted", v: 1, schema: { type: "string" } as unknown as TSchema, upcasters: {} },
]);

if (import.meta.main) await write(process.argv[2] as string);

async function write(directory: string): Promise<never> {
	writeSync(1, "loaded\n");
	// nobody there: end as a process should, which is when Node keeps what it compiled for the next one
	if (readSync(0, Buffer.alloc(1)) === 0) process.exit();
	const store = await openStore({ directory, registry: tickRegistry });
	writeSync(1, "opened\n");
	let { version } = store.head(WRITTEN);
	for (let turn = version; ; turn++) {
		// one, a few, or very many; some through to the disk, some with content; two on their way at a time
		const appends = [turn % 5, 1].map((count, index) => {
			const events = Array.from({ length: count === 4 ? 200 : count }, (_, at) =>
				tick(`${version + at} ${"x".repeat(at * 7)}`),
			);
			const bytes = Buffer.from(`content of ${version} ${"y".repeat((turn % 7) * 900)}`);
			const digest = sha256Node(bytes);
			const sync = turn % 3 === index;
			const appended = store.append(WRITTEN, events, version, { sync, blobs: [{ digest, bytes }] });
			version += events.length;
			return appended.then((head) => writeSync(1, `${head.version} ${head.hash} ${digest}\n`));
		});
		await Promise.all(appends);
	}
}

function tick(data: string) {
	return { event: { type: "tick/counted", data }, at: 1_700_000_000_000, actor: "runtime" as const };
}
