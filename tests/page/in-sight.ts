/** In the browser, once it has drawn: what reaches beyond the page, what is cut off, and what would have to be scrolled sideways. */
export const TOO_WIDE = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
	const said = (element) => element.localName + "." + (element.getAttribute("class") ?? "");
	const clips = (element) => element && (getComputedStyle(element).overflowX !== "visible" || clips(element.parentElement));
	const wide = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
	for (const element of document.querySelectorAll("#page *")) {
		if (!element.checkVisibility()) continue;
		const { right, left, width } = element.getBoundingClientRect();
		const isSideways = /auto|scroll/.test(getComputedStyle(element).overflowX);
		// tabs, choices in a row and lines of code are there to be scrolled
		if (isSideways && !element.matches(".tabs, .choices, pre") && element.scrollWidth > element.clientWidth + 1)
			wide.push(said(element) + " scrolls " + element.scrollWidth + " in " + element.clientWidth);
		if (width > 0 && (right > innerWidth + 1 || left < -1) && !clips(element.parentElement))
			wide.push(said(element) + " reaches to " + right);
		// what is pressed is never cut off
		const row = element.matches("button, input, select") && element.closest(".tools, .top, .facts");
		if (row && right > row.getBoundingClientRect().right + 1) wide.push(said(element) + " is cut off");
	}
	resolve(wide);
})))`;

/**
 * In the browser: what a reader who does not see the page could not tell or reach. What is pressed has a name, a name of an
 * element is told once, nothing hidden takes the focus, and the order of the focus is that of the page.
 */
export const UNTOLD = `(() => {
	const said = (element) => element.outerHTML.slice(0, 120);
	const untold = [];
	const ids = new Map();
	for (const element of document.querySelectorAll("[id]")) {
		if (ids.has(element.id)) untold.push("twice the same id: " + said(element));
		ids.set(element.id, element);
	}
	const textOf = (names) => (names ?? "").split(" ").map((id) => ids.get(id)?.textContent ?? "").join(" ").trim();
	const nameOf = (element) =>
		textOf(element.getAttribute("aria-labelledby")) ||
		element.getAttribute("aria-label")?.trim() ||
		[...(element.labels ?? [])].map((label) => label.textContent).join(" ").trim() ||
		(element.matches("input, select, textarea, [role=listbox], [role=slider], [role=tree]") ? "" : element.textContent.trim()) ||
		element.getAttribute("title")?.trim();
	const NAMED = "a, button, input, select, textarea, summary, dialog, [tabindex], [role=listbox], [role=slider], [role=tab], " +
		"[role=tabpanel], [role=tree], [role=treeitem], [role=option], [role=group], [role=tablist], [role=img], [role=dialog]";
	for (const element of document.querySelectorAll("#page *")) {
		if (!element.checkVisibility()) continue;
		if (element.matches(NAMED) && !nameOf(element)) untold.push("no name: " + said(element));
		if (element.tabIndex >= 0 && element.closest("[aria-hidden=true]")) untold.push("hidden, yet in focus: " + said(element));
		if (element.tabIndex > 0) untold.push("out of order: " + said(element));
		for (const name of ["aria-labelledby", "aria-controls", "aria-activedescendant", "aria-describedby", "for"])
			for (const id of (element.getAttribute(name) ?? "").split(" "))
				if (id !== "" && !ids.has(id)) untold.push(name + " leads nowhere: " + said(element));
		if (element.matches("[role=option]") && !element.closest("[role=listbox]")) untold.push("no list of its own: " + said(element));
		if (element.matches("[role=treeitem]") && !element.closest("[role=tree]")) untold.push("no tree of its own: " + said(element));
		if (element.matches("img, [role=img]") && !nameOf(element) && !element.alt) untold.push("no words: " + said(element));
		if (element.matches("th") && !element.scope && element.textContent.trim()) untold.push("of what is it the head: " + said(element));
	}
	let level = 0;
	for (const head of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
		if (!head.checkVisibility()) continue;
		const now = Number(head.localName[1]);
		if (now > level + 1) untold.push("a heading is passed over before " + said(head));
		level = now;
	}
	if (document.querySelectorAll("main").length !== 1) untold.push("not one main part");
	return untold;
})()`;

/** In the browser: where the focus is, told well enough to know it again. */
export const FOCUSED = `(() => {
	const path = [];
	for (let at = document.activeElement; at && at !== document.body; at = at.parentElement)
		path.unshift(at.localName + [...(at.parentElement?.children ?? [])].indexOf(at));
	return path.join(" ");
})()`;

/** Texts of which the colour is nearer to its ground than WCAG AA has it, as \`text: contrast\`. */
export function tooFaint(texts: readonly [text: string, colour: string, ground: string][]): string[] {
	return texts.flatMap(([text, colour, ground]) => {
		const apart = contrast(colour, ground);
		return apart < 4.5 ? [`${text}: ${apart.toFixed(2)}`] : [];
	});
}

/** In the browser: every text in sight, with its colour and that of the nearest ground that is not seen through. */
export const TEXTS = `(() => {
	const groundOf = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const ground = getComputedStyle(at).backgroundColor;
			if (ground.startsWith("rgb(")) return ground;
		}
		return "rgb(255, 255, 255)";
	};
	const texts = [];
	const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const element = node.parentElement;
		if (node.nodeValue.trim() === "" || !element.checkVisibility()) continue;
		texts.push([node.nodeValue, getComputedStyle(element).color, groundOf(element)]);
	}
	return texts;
})()`;

/** How far two colours such as `rgb(1, 2, 3)` are apart, from 1 to 21, as WCAG has it. */
function contrast(a: string, b: string): number {
	const [darker = 0, lighter = 0] = [lightOf(a), lightOf(b)].sort((one, other) => one - other);
	return (lighter + 0.05) / (darker + 0.05);
}

function lightOf(colour: string): number {
	const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
		const part = Number(value) / 255;
		return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
