const KEY = "palimpsest-token";

/**
 * The token of this page. It comes in the fragment of the address it was opened with, is kept for this tab alone, and
 * is taken out of the address at once, so that no link that is copied carries it.
 */
export function takeToken(): string | undefined {
	const said = new URLSearchParams(location.hash.slice(1));
	const brought = said.get("token");
	if (brought !== null) {
		said.delete("token");
		history.replaceState(null, "", `${location.pathname}#${said}`);
		sessionStorage.setItem(KEY, brought);
	}
	return sessionStorage.getItem(KEY) ?? undefined;
}

/** Heeds a token that is brought to a page already open: begins anew where it is another. Returns what ends that. */
export function keepTaking(): () => void {
	const heed = () => {
		const before = sessionStorage.getItem(KEY);
		if (takeToken() !== (before ?? undefined)) location.reload();
	};
	addEventListener("hashchange", heed);
	return () => removeEventListener("hashchange", heed);
}
