import { ApiError, send } from "./api.ts";

const KEY = "palimpsest-token";

/**
 * The token of this page. It comes in the fragment of the address that was printed; that which a browser was started with
 * has a ticket to be exchanged for it. It is kept for this tab alone, and both are taken out of the address at once, so
 * that no link that is copied carries them.
 */
export async function takeToken(): Promise<string | undefined> {
	const said = new URLSearchParams(location.hash.slice(1));
	const [brought, ticket] = [said.get("token"), said.get("ticket")];
	if (brought !== null || ticket !== null) {
		said.delete("token");
		said.delete("ticket");
		history.replaceState(null, "", `${location.pathname}#${said}`);
	}
	const token = brought ?? (ticket === null ? undefined : await exchanged(ticket));
	if (token !== undefined) sessionStorage.setItem(KEY, token);
	return sessionStorage.getItem(KEY) ?? undefined;
}

/** A ticket that is not taken leaves the reader with the token that was there before, or told that there is none. */
async function exchanged(ticket: string): Promise<string | undefined> {
	try {
		return (await send<{ readonly token: string }>("/api/ticket", { ticket })).token;
	} catch (error) {
		if (error instanceof ApiError) return undefined;
		throw error;
	}
}

/** Heeds a token that is brought to a page already open: begins anew where it is another. Returns what ends that. */
export function keepTaking(): () => void {
	const heed = async () => {
		const before = sessionStorage.getItem(KEY);
		if ((await takeToken()) !== (before ?? undefined)) location.reload();
	};
	addEventListener("hashchange", heed);
	return () => removeEventListener("hashchange", heed);
}
