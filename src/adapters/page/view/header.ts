import { type ComponentChildren, h } from "preact";
import { Copy } from "./copy.ts";
import { folderOf } from "./folder.ts";
import { icon } from "./icons.ts";
import { count, dayOf, money } from "./numbers.ts";
import { SaveMenu } from "./save-menu.ts";
import { change, state, type Theme, usePage } from "./state.ts";

const THEME = "palimpsest-theme";

/** Takes the theme that was chosen here before. */
export function takeTheme(): void {
	const kept = localStorage.getItem(THEME);
	if (kept === "light" || kept === "dark") change({ theme: kept });
}

/** Which session this is, what it came to, and how the page is set. */
export function Header(): ComponentChildren {
	const session = usePage((state) => state.session);
	const isLive = usePage(({ session, trouble }) => session?.live === true && trouble === undefined);
	const timeline = usePage((state) => state.timeline);
	const folder = folderOf(session);
	const spent = timeline?.spent.at(-1);
	return h(
		"header",
		{ class: "top" },
		h("h1", null, "Palimpsest"),
		session && [
			h("span", { class: "session", title: `${session.session}\n${session.cwd ?? ""}` }, [
				folder && h("span", { class: "folder cut" }, folder),
				h("span", { class: "mono quiet cut" }, shortId(session.session)),
			]),
			isLive && h("span", { class: "badge live", title: "A session writes to this store." }, "live"),
			session.write && h("span", { class: "badge write", title: "This page may undo and redo." }, "write"),
			h(
				"dl",
				{ class: "numbers" },
				session.model !== undefined && fact("Model", session.model.replace(/^.*\//, ""), session.model),
				fact("Requests", count(session.requests)),
				fact("Entries", count(session.entries), "", "minor"),
				spent !== undefined && fact("Cost", money(spent, session.unit)),
				session.opened > 0 && fact("Opened", dayOf(session.opened), "", "minor"),
			),
			session.head.hash !== "" &&
				h(
					"span",
					{ class: "head", title: `Head: version ${count(session.head.version)}, ${session.head.hash}` },
					h(Copy, { text: session.head.hash, label: session.head.hash.slice(0, 8) }),
				),
		],
		h("span", { class: "grow" }),
		h(SaveMenu, null),
		h(ThemeButton, null),
		h(
			"button",
			{
				type: "button",
				class: "tool",
				"aria-label": "Keys and help",
				title: "Keys and help (?)",
				onClick: () => change({ help: true }),
			},
			icon("help"),
		),
	);
}

/** An id as far as it tells sessions apart at a glance; the whole one is in the title. */
function shortId(id: string): string {
	return id.length > 16 ? `${id.slice(0, 8)}…` : id;
}

function fact(name: string, value: string, title = "", look = ""): ComponentChildren {
	return h("div", { title, class: look }, h("dt", null, name), h("dd", { class: "cut" }, value));
}

const after: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

function ThemeButton(): ComponentChildren {
	const theme = usePage((state) => state.theme);
	const words = { system: "as the system has it", light: "light", dark: "dark" };
	return h(
		"button",
		{
			type: "button",
			class: "tool",
			"aria-label": `Theme: ${words[theme]}`,
			title: `Theme: ${words[theme]}`,
			onClick: () => {
				const next = after[state().theme];
				if (next === "system") localStorage.removeItem(THEME);
				else localStorage.setItem(THEME, next);
				change({ theme: next });
			},
		},
		icon(({ system: "system", light: "sun", dark: "moon" } as const)[theme]),
	);
}
