import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Sent } from "./sandbox.ts";

/** Answers a request. */
export type Step = () => AssistantMessage | Promise<AssistantMessage>;

/** A request as it reached the provider, and what the session was then. */
export interface Asked {
	/** absent where the host made the request and never sent it, as it does behind tools that were aborted */
	readonly sent?: Sent;
	/** the session's id and file; no file where it is in memory */
	readonly session: string;
	readonly file: string | undefined;
	/** the path to the leaf, root first */
	readonly path: readonly SessionEntry[];
	/** what the reply was billed; absent where none came */
	usage?: AssistantMessage["usage"];
}
