import { type ComponentChildren, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useFigures } from "./figures.ts";
import { Header } from "./header.ts";
import { Help } from "./help.ts";
import { Banners, NothingYet, Reading, WrongToken } from "./notices.ts";
import { count, short } from "./numbers.ts";
import { usePage } from "./state.ts";
import { Tabs } from "./tabs.ts";
import { Timeline } from "./timeline.ts";
import { WindowPanel } from "./window-panel.ts";
import { showPlayhead } from "./zoom.ts";

/** Below this width there is one column. */
const NARROW = "(max-width: 819px)";

/** How long the playhead rests before a screen reader is told where, ms. */
const RESTED = 500;

/** The whole page. */
export function App(): ComponentChildren {
	const trouble = usePage((state) => state.trouble);
	const session = usePage((state) => state.session);
	const narrow = useNarrow();
	if (trouble?.kind === "token" && !session) return h(WrongToken, null);
	return h(
		"div",
		{ class: narrow ? "page narrow" : "page" },
		h(Header, null),
		h(Banners, null),
		!session && !trouble && h(Reading, null),
		session && session.requests === 0 && h(NothingYet, null),
		session &&
			session.requests > 0 && [
				h(Timeline, null),
				h("main", { class: "columns" }, !narrow && h(WindowPanel, null), h(Tabs, { narrow })),
			],
		h(Announcer, null),
		h(Help, null),
	);
}

function useNarrow(): boolean {
	const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
	useEffect(() => {
		const query = matchMedia(NARROW);
		const heed = () => setNarrow(query.matches);
		query.addEventListener("change", heed);
		return () => query.removeEventListener("change", heed);
	}, []);
	return narrow;
}

/** Tells a screen reader where the playhead came to rest, and keeps it in sight. */
function Announcer(): ComponentChildren {
	const at = usePage((state) => state.at);
	const playing = usePage((state) => state.playing > 0);
	const [said, say] = useState("");
	const figures = useFigures(at);
	useEffect(showPlayhead, [at]);
	useEffect(() => {
		if (playing || at === 0) return;
		const timer = setTimeout(() => {
			say(`Request ${count(at)}${figures ? `, ${figures.about}${short(figures.tokens)} tokens` : ""}`);
		}, RESTED);
		return () => clearTimeout(timer);
	}, [at, playing, figures?.tokens]);
	return h("div", { class: "unseen-text", role: "status", "aria-live": "polite" }, said);
}
