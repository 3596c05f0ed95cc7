/** A process that opens the store in `argv[2]` and appends to its stream until it is killed; it says `writing` after the first. */
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";

const store = await openStore({ directory: process.argv[2] as string, registry: REGISTRY });
const [stream = ""] = store.streams();
for (let { version } = store.head(stream); ; version++) {
	const event = { type: "engine/suspended", data: { mode: "pause", why: `event ${version}` } };
	await store.append(stream, [{ event, at: Date.UTC(2026, 0, 6), actor: "user" }], version, { sync: true });
	process.send?.("writing");
}
