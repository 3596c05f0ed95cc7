import { join } from "node:path";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";

/** An event as a test looks at it. */
export interface Logged {
	readonly type: string;
	readonly position: number;
	readonly hash: string;
	readonly actor: string;
	readonly data: Record<string, unknown>;
}

/** The events of a session's store, which nobody has open; and its content by digest. */
export async function logOf(
	home: string,
	name: string,
): Promise<{ events: Logged[]; content: Map<string, string> }> {
	await using store = await openStore({ directory: join(home, "sessions", name), registry: REGISTRY });
	const events: Logged[] = [];
	const content = new Map<string, string>();
	const [stream = ""] = store.streams();
	for await (const { type, position, hash, actor, data } of store.read(stream)) {
		events.push({ type, position, hash, actor, data: data as Record<string, unknown> });
		const { digest } = data as { digest?: string };
		const bytes = digest === undefined ? undefined : store.blob(digest);
		if (digest !== undefined && bytes) content.set(digest, new TextDecoder().decode(bytes));
	}
	return { events, content };
}
