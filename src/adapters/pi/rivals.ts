import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { isFresh, say } from "./say.ts";

/** The commands of pi-fold, and the tool by which its models fold. */
const FOLDING = { tools: /^pi_fold_context$/, commands: /^fold(-status|-context|-editor|-settings)?$/ };

/** The tools and the command of pi-compact. */
const COMPACTING = { tools: /^pi_compact_/, commands: /^pi-compact(-status|-recall)?$/ };

/** What pi-compact has beside that, by names that others may have too. */
const REMEMBERING = { tools: /^pi_memory_/, commands: /^(remember|memories|forget)$/ };

/** Another extension, by what gave it away: `/fold of PATH`. */
interface Rivals {
	/** one that folds, so that we do nothing */
	readonly folds?: string;
	/** one that sees to compactions and memory, so that we leave these to it */
	readonly compacts?: string;
}

type Registered = Pick<ExtensionAPI, "getAllTools" | "getCommands">;

/**
 * Extensions that do what we do. To be asked once all extensions are loaded and before we registered anything, so that
 * whatever is there is another's, in either load order. The host does not start where two extensions register a tool of
 * one name while they load; later on it drops one of the two without a word, and renames both of two commands.
 */
function rivalsIn(pi: Registered): Rivals {
	const folds = firstOf(pi, FOLDING);
	const compacts = firstOf(pi, COMPACTING);
	return { ...(folds !== undefined && { folds }), ...(compacts !== undefined && { compacts }) };
}

/** The host beside other extensions. */
interface BesideRivals {
	readonly host: ExtensionAPI;
	/** whether another extension sees to compactions and memory: ours may cancel a compaction then, and writes none */
	readonly compactsElsewhere: () => boolean;
}

/**
 * The host's API for what we register: commands and tools wait until it is known which other extensions there are, and
 * are never made where another one folds; hooks are silent there. What goes by a name of another one that compacts is left
 * to it. Each rival is said once.
 */
export function besideRivals(pi: ExtensionAPI): BesideRivals {
	const waiting: (() => void)[] = [];
	let rivals: Rivals | undefined;
	const settle = (): Rivals => {
		if (rivals) return rivals;
		rivals = rivalsIn(pi);
		if (rivals.folds === undefined) for (const register of waiting) register();
		return rivals;
	};
	/** a name that would be the other's, where another one compacts, is left to it */
	const unlessTheirs = (name: string, what: "tools" | "commands", register: () => void) =>
		orWait(() => {
			const isTheirs = COMPACTING[what].test(name) || REMEMBERING[what].test(name);
			if (rivals?.compacts === undefined || !isTheirs) register();
		});
	const orWait = (register: () => void) => {
		if (!rivals) waiting.push(register);
		else if (rivals.folds === undefined) register();
	};
	pi.on("session_start", (event, ctx) => {
		const { folds, compacts } = settle();
		if (!isFresh(event)) return;
		if (folds !== undefined)
			say(
				ctx,
				`another extension folds here (${folds}), and this one does nothing; remove one of the two`,
				"warning",
			);
		else if (compacts !== undefined)
			say(ctx, `compactions and memory are left to another extension (${compacts})`, "info");
	});
	// programs that use the host as a library may start no session
	pi.on("before_agent_start", () => void settle());
	const on = (event: string, handler: (...args: unknown[]) => unknown) =>
		pi.on(event as "turn_end", (...args: unknown[]) => {
			if (rivals?.folds !== undefined) return undefined;
			return handler(...args) as undefined;
		});
	const host: ExtensionAPI = {
		...pi,
		on: on as ExtensionAPI["on"],
		registerCommand: (name, options) =>
			unlessTheirs(name, "commands", () => pi.registerCommand(name, options)),
		registerTool: (tool) => unlessTheirs(tool.name, "tools", () => pi.registerTool(tool)),
	};
	return { host, compactsElsewhere: () => settle().compacts !== undefined };
}

function firstOf(pi: Registered, { tools, commands }: typeof FOLDING): string | undefined {
	const tool = pi.getAllTools().find(({ name }) => tools.test(name));
	if (tool) return `${tool.name} of ${tool.sourceInfo.path}`;
	// the host gives commands of one name numbers: fold:1, fold:2
	const command = pi
		.getCommands()
		.find(({ name, source }) => source === "extension" && commands.test(name.replace(/:\d+$/, "")));
	return command && `/${command.name} of ${command.sourceInfo.path}`;
}
