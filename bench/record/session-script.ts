import type { Pauses } from "./clock.ts";
import { Desk } from "./desk.ts";
import { shapeFeature } from "./feature-outline.ts";
import { spanFeature } from "./feature-span.ts";
import type { HostSession } from "./host-session.ts";
import { addFeature } from "./turns-feature.ts";
import { renameAcross, renameOwn } from "./turns-rename.ts";
import { codesFromMemory, firstLook, longAnswer, lookBack, walkThrough, writeDocs } from "./turns-writing.ts";

/** Pauses in ms before the prompts that follow a coffee (11 minutes) and a meeting (47 minutes). */
export const PAUSES: Pauses = new Map([
	[5, 11 * 60_000],
	[9, 47 * 60_000],
]);

/**
 * Characters the prompt holds when the reading is done. At 3.0 characters a token the rest of the day ends above the
 * point where the host would compact a 200,000 token window (183,616) and below the window itself.
 */
const READ_UP_TO = 566_000;

/** Plays the day: twelve prompts of one person to one agent, with an aborted reply, an overloaded provider and a branch. */
export async function playSession({
	session,
	promptCharacters,
	prompt,
	abortedPrompt,
}: HostSession): Promise<void> {
	const desk = new Desk();
	session.setSessionName("Outline, spans and a tour");
	await prompt(
		"Get to know this repository: the frame first, then events/ and projections/. What carries it?",
		firstLook(desk, { folders: ["events/", "projections/"], requests: 16, characters: 62_000 }),
	);
	await prompt(
		"Add src/debug/session-shape.ts: given a path of transcript entries, count entries by kind, calls by tool and characters of results by tool. Tests first in spirit, please, and commit.",
		addFeature(desk, shapeFeature, "debug: take the shape of a session"),
	);
	await prompt(
		"Now walk through the store and the engine. Which errors can a caller see, and who throws them?",
		walkThrough(
			desk,
			{
				folders: ["src/store/", "src/engine/", "events/"],
				requests: 28,
				characters: 125_000,
				overloadedAt: 9,
			},
			"From the store up to the engine, this is what a caller meets:",
		),
	);
	await abortedPrompt(
		"Explain at length how one append travels from a command to disk.",
		longAnswer(desk),
		900,
	);
	await prompt("Too long, sorry. Only the codes, and where each is thrown.", codesFromMemory(desk));
	const fork = session.sessionManager.getLeafId();
	if (fork === null) throw new Error("nothing was recorded before the branch");
	session.sessionManager.appendLabelChange(fork, "before the rename");
	await prompt(
		"Our exported names collide with the host's in my editor. Take the one used in most files and prefix it with palimpsest, everywhere. Show me before you commit.",
		renameAcross(desk),
	);
	const abandoned = promptCharacters();
	await session.navigateTree(fork, { summarize: false });
	await prompt(
		"I went back: leave that name alone, it is public. Drop whatever is uncommitted and rename only our own shapeOf to outlineOf.",
		renameOwn(desk),
	);
	if (promptCharacters() >= abandoned) throw new Error("going back did not shorten the prompt");
	session.setThinkingLevel("high");
	await prompt(
		"Next the deciders, the debugger and the adapters, same kind of tour. Tell me where each decision is made.",
		walkThrough(
			desk,
			{
				folders: ["src/commands/", "src/debug/", "src/adapters/", "src/cli.ts"],
				requests: 38,
				characters: 170_000,
			},
			"Where decisions are made:",
		),
	);
	await session.executeBash("git log --oneline | head -5");
	await prompt(
		"Survey the tests now, all of them if you can. What do they guard, and which rule is guarded nowhere?",
		walkThrough(
			desk,
			{
				folders: ["tests/"],
				requests: 40,
				characters: Math.max(20_000, READ_UP_TO - promptCharacters() - 40 * 450),
			},
			"What the tests guard, as their names say it:",
		),
	);
	await prompt(
		"Back. Add src/debug/time-span.ts: parse and format spans like 1h30m, milliseconds inside. I want a property that writing and reading agree.",
		addFeature(desk, spanFeature, "debug: read and write spans of time"),
	);
	await prompt(
		"Put the names worth knowing from today into the readme, the early ones too, each checked before you write it.",
		writeDocs(desk),
	);
	await prompt(
		"Before I go: what did we change, and what should the next person know? From memory, please.",
		lookBack(desk),
	);
}
