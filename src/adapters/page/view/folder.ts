import type { PageSession } from "../page-session.ts";

/** Name of the folder a session ran in, without those above it; `undefined` where it is not known. */
export function folderOf(session: Pick<PageSession, "cwd"> | undefined): string | undefined {
	return session?.cwd?.split(/[/\\]/).findLast((name) => name !== "") ?? session?.cwd;
}
