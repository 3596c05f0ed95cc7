import { type ComponentChildren, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReadingProgress } from "../page-session.ts";
import { type ApiError, askAnew } from "./api.ts";
import { retry } from "./growth.ts";
import { usePage } from "./state.ts";

/** How often the server is asked how far it has read, ms. */
const LOOK_MS = 400;

/** What went wrong with one question, where its answer would stand. */
export function Failure({ error }: { error: Pick<ApiError, "code" | "message"> }): ComponentChildren {
	return h("p", { class: "failure", role: "alert" }, h("b", null, error.code), ` ${error.message}`);
}

const headings = {
	gone: "The server is gone. ",
	token: "The server was started anew. ",
	failed: "The server could not answer. ",
} as const;

const words: { readonly [kind: string]: string } = {
	gone: "What was read stays here, and this page tries again by itself. A server that is started again prints a new address.",
	token:
		"What was read stays here. To go on, open the address that was printed last; in Pi, /fold-debug tells it.",
};

/** What the reader should know of the whole page: the server is gone, the store is damaged or leaves something out. */
export function Banners(): ComponentChildren {
	const trouble = usePage((state) => state.trouble);
	const damage = usePage(({ session }) => session?.damage);
	const notes = usePage(({ session }) => session?.notes);
	if (!trouble && !damage?.length && !notes?.length) return null;
	return h(
		"div",
		{ class: "banners" },
		trouble &&
			h(
				"div",
				{ class: "banner", role: "alert" },
				h("span", null, h("b", null, headings[trouble.kind]), words[trouble.kind] ?? trouble.message),
				trouble.kind !== "token" &&
					h("button", { type: "button", class: "plain", onClick: retry }, "Try again"),
			),
		damage?.map((line) =>
			h(
				"div",
				{ class: "banner", role: "alert", key: line },
				h("span", null, h("b", null, "Damaged store. "), line),
			),
		),
		notes?.map((line) => h("p", { class: "banner note", key: line }, h("span", null, line))),
	);
}

/** Shown instead of the page where the server does not know its token. */
export function WrongToken(): ComponentChildren {
	return h(
		"main",
		{ class: "sheet" },
		h("p", { class: "wordmark" }, "Palimpsest"),
		h("h1", null, "This page has no valid key"),
		h(
			"p",
			null,
			"Each start of ",
			h("code", null, "palimpsest debug"),
			" makes a new key and prints an address that holds it. This tab has none, or that of an earlier start; ",
			"an address that opened by itself is good once, and for a minute.",
		),
		h(
			"p",
			null,
			"Open the address that was printed last, or start the command again; in Pi, ",
			h("code", null, "/fold-debug"),
			" tells it.",
		),
	);
}

/** Shown until the server has read the session: at once for most, a while for very long ones. */
export function Reading(): ComponentChildren {
	const [share, setShare] = useState(0);
	useEffect(() => {
		const control = new AbortController();
		const look = async () => {
			const { done, total } = await askAnew<ReadingProgress>("/api/reading", { signal: control.signal });
			setShare(done / Math.max(1, total));
		};
		// who asks for the session is told of troubles
		const timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
		return () => {
			clearInterval(timer);
			control.abort();
		};
	}, []);
	return h(
		"p",
		{ class: "sheet small late" },
		h("span", { role: "status" }, "Reading the session…"),
		share > 0 && ` ${Math.floor(share * 100)} %`,
	);
}

/** Shown where the session has sent nothing yet. */
export function NothingYet(): ComponentChildren {
	return h(
		"div",
		{ class: "sheet" },
		h("h2", null, "No request yet"),
		h("p", null, "This session has sent nothing to a model. The first request appears here by itself."),
	);
}
