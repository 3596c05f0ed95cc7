import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { CHOICE_KEYS, type ChoiceKey } from "./choices.ts";
import { modelInUse } from "./model-in-use.ts";
import { say } from "./say.ts";
import { type Choice, keyNamed, ROWS } from "./setting-rows.ts";
import { asideWords, explanation, shownOf, valueText } from "./setting-texts.ts";
import type { SettingsInForce } from "./settings-in-force.ts";

/** Puts `/fold-settings` into a host: a screen where there is one, and in words everywhere. */
export function registerSettingsCommand(pi: ExtensionAPI, settings: SettingsInForce): void {
	pi.registerCommand("fold-settings", {
		description: "How folding is done: look, or change with KEY VALUE",
		getArgumentCompletions: (prefix) => completions(settings, prefix),
		handler: async (args, ctx) => {
			settings.reload();
			const [, name = "", text = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(args) ?? [];
			if (name === "" && ctx.mode === "tui") await showScreen(settings, ctx);
			else say(ctx, ...answer(settings, ctx, name, text));
		},
	});
	pi.on("session_start", (_event, ctx) => {
		settings.reload();
		if (settings.refused !== undefined)
			say(ctx, `${settings.path} is not followed: ${settings.refused}`, "warning");
	});
}

async function showScreen(settings: SettingsInForce, ctx: ExtensionCommandContext): Promise<void> {
	// the host's own parts are there only where the host is
	const { SettingsScreen } = await import("./settings-screen.ts");
	const model = modelInUse(ctx);
	await ctx.ui.custom<void>((tui, theme, keybindings, done) => {
		const redraw = () => tui.requestRender();
		const height = () => tui.terminal.rows;
		return new SettingsScreen(settings, model, { theme, keybindings, height, redraw, close: () => done() });
	});
}

/** What is said to `/fold-settings`, to it with a key, and to it with a key and a value. */
function answer(
	settings: SettingsInForce,
	ctx: ExtensionCommandContext,
	name: string,
	text: string,
): [sentence: string, level: "info" | "warning"] {
	if (name === "") return [everything(settings, ctx), "info"];
	const key = keyNamed(name);
	if (!key) return [`no setting is called ${name}; there are ${CHOICE_KEYS.join(", ")}`, "warning"];
	if (text === "")
		return [`${line(settings, ctx, key)}. ${explanation(key, shownOf(settings, modelInUse(ctx)))}`, "info"];
	const { parse, example } = ROWS[key];
	const value = text === "default" ? undefined : parse(text);
	if (value === undefined && text !== "default") return [`${key} takes ${example}; not ${text}`, "warning"];
	const objection = settings.choose(key, value);
	if (objection !== undefined) return [objection, "warning"];
	const { putAside } = settings;
	const aside = putAside ? `. ${asideWords(putAside)}` : "";
	return [`${line(settings, ctx, key)}; in force from the next request on${aside}`, "info"];
}

function everything(settings: SettingsInForce, ctx: ExtensionCommandContext): string {
	const { refused, path } = settings;
	return [
		"settings in force",
		...CHOICE_KEYS.map((key) => `  ${line(settings, ctx, key)}`),
		...(refused === undefined ? [] : [`The settings file is not followed: ${refused}.`]),
		`Change one with /fold-settings KEY VALUE, or VALUE default; kept in ${path}`,
	].join("\n");
}

function line(settings: SettingsInForce, ctx: ExtensionCommandContext, key: ChoiceKey): string {
	const fixed = settings.isFixed(key) ? " (fixed by the host)" : "";
	return `${key} ${valueText(key, shownOf(settings, modelInUse(ctx)))}${fixed}`;
}

function completions(settings: SettingsInForce, prefix: string) {
	const [, name = "", gap = "", text = ""] = /^\s*(\S*)(\s*)(.*)$/s.exec(prefix) ?? [];
	const key = gap === "" ? undefined : keyNamed(name);
	if (!key) {
		const open = CHOICE_KEYS.filter((key) => key.toLowerCase().startsWith(name.toLowerCase()));
		return open.map((key) => ({ value: `${key} `, label: key, description: ROWS[key].label }));
	}
	const values = ROWS[key].steps
		.filter((step) => step !== undefined && settings.objection(key, step) === undefined)
		.map(typed);
	return (
		[...values, "default"]
			// a number that is being typed is nobody's to complete
			.filter((value) => value.startsWith(text) && value !== text && !/^\d/.test(text))
			.map((value) => ({ value: `${key} ${value}`, label: value }))
	);
}

/** A step as it would be typed. */
function typed(step: Choice): string {
	if (typeof step === "boolean") return step ? "on" : "off";
	return typeof step === "number" && step > 0 && step < 1 ? `${Math.round(step * 100)}%` : String(step);
}
