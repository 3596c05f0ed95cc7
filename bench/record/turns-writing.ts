import { bash, type Desk, describe, edit, mention, read } from "./desk.ts";
import { findings, type Survey, survey } from "./explore.ts";
import { type Fact, testRun } from "./notes.ts";
import type { Turn } from "./scripted-model.ts";

/** The first look: what is there, how big, and what the project says of itself. */
export function* firstLook(desk: Desk, plan: Survey): Turn {
	yield* desk.act({
		say: "I'll start with what is there.",
		think:
			"A new repository. The listing with sizes first, then the frame, then the contracts others build on.",
		calls: [bash("ls; git log --oneline | head -5"), bash("git ls-files | xargs wc -c")],
	});
	yield* desk.act({
		say: `${desk.notes.sizes.size} files. The frame next: scripts, compiler, readme.`,
		calls: [read("package.json"), read("tsconfig.json"), read("README.md", 1, 80)],
	});
	const [needing] = yield* desk.act({
		say: "Some tests may need recordings that are not in this copy; those I will not run.",
		calls: [bash("git grep -l -e recorded.jsonl -e tests/sessions -- tests || echo none")],
	});
	for (const test of needing?.text.split("\n") ?? []) desk.once(`run ${test}`, true);
	yield* survey(desk, plan);
	yield { say: `What carries this repository:\n\n${findings(desk, plan.folders, 9)}\n\n${desk.recall()}` };
}

/** Reads a part of the repository and ends with what was found there. */
export function* walkThrough(desk: Desk, plan: Survey, question: string): Turn {
	yield* survey(desk, plan);
	yield { say: `${question}\n\n${findings(desk, plan.folders, 8)}\n\n${desk.recall()} ${desk.recall()}` };
}

/** A long answer without calls. */
export function* longAnswer(desk: Desk): Turn {
	const steps = Array.from({ length: 14 }, (_, i) => `${i + 1}. ${desk.recall()} ${desk.recall()}`);
	yield { say: `In full, step by step.\n\n${steps.join("\n\n")}` };
}

/** A short answer from memory: the codes seen so far and where they are thrown. */
export function* codesFromMemory(desk: Desk): Turn {
	const codes = desk.notes.facts.filter((fact) => fact.kind === "code").slice(0, 14);
	const lines = codes.map((fact) => `- ${mention(fact)}`);
	yield {
		say:
			lines.length > 0
				? `Only the codes:\n\n${lines.join("\n")}`
				: `No code is thrown so far. ${desk.recall()}`,
	};
}

/** Writes down names seen in the whole session, checking each against the sources before it goes into the readme. */
export function* writeDocs(desk: Desk): Turn {
	const facts = spread(
		desk.notes.facts.filter((fact) => fact.kind !== "test"),
		8,
	);
	yield* desk.act({
		say: `From memory I would name ${facts.map((fact) => `\`${fact.name}\``).join(", ")}. Checking each before it is written down.`,
		think: `A readme must not name what is not there. ${desk.recall()} ${desk.recall()}`,
		calls: facts
			.slice(0, 2)
			.map((fact) => bash(`git grep -nw ${fact.name} -- '*.ts' | cut -c1-140 | head -5`)),
	});
	for (const fact of facts.slice(2)) {
		yield* desk.act({
			say: `${mention(fact)}, as I remember it. ${desk.recall()}`,
			calls: [bash(`git grep -nw ${fact.name} -- '*.ts' | cut -c1-140 | head -4`)],
		});
	}
	const [readme] = yield* desk.act({ say: "Now the readme's end.", calls: [bash("tail -n 12 README.md")] });
	const last = (readme?.text ?? "").trimEnd().split("\n").at(-1) ?? "";
	const table = facts.map((fact) => `| \`${fact.name}\` | ${fact.kind} | \`${fact.file}\` |`);
	const section = [
		"## Names worth knowing",
		"",
		"| name | what | where |",
		"| --- | --- | --- |",
		...table,
		"",
	];
	const script = `printf '%s\\n' '' ${section.map((line) => `'${line}'`).join(" ")} >> README.md`;
	yield* desk.act({
		say: `It ends with "${last.slice(0, 60)}". Adding a section below.`,
		calls: [bash(script)],
	});
	yield* desk.act({ say: "How it reads.", calls: [bash("tail -n 14 README.md; git diff --stat")] });
	yield* desk.act({
		say: "One heading is too loud; lowering it.",
		calls: [edit("README.md", { oldText: "## Names worth knowing", newText: "### Names worth knowing" })],
	});
	const run = testRun(
		yield* desk.act({
			say: `Both of today's tests once more. ${desk.recall()}`,
			calls: [bash("npm test -- tests/session-shape.test.ts tests/time-span.test.ts 2>&1 | tail -30", 120)],
		}),
	);
	yield* desk.act({
		say: `${run.passed} passed. Committing.`,
		calls: [bash('git commit -q -am "readme: names worth knowing" && git log --oneline | head -5')],
	});
	yield { say: `The readme names ${facts.length} things, each checked: ${facts.map(mention).join("; ")}.` };
}

/** Answers about the whole day from memory, with one look at the history. */
export function* lookBack(desk: Desk): Turn {
	const [log] = yield* desk.act({
		say: "The history, then the answer.",
		calls: [bash("git log --oneline | head -8; git diff --stat HEAD~3 HEAD")],
	});
	const commits = (log?.text ?? "").split("\n").filter((line) => /^[0-9a-f]{7,} /.test(line)).length;
	const facts = spread(desk.notes.facts, 12);
	yield {
		say: [
			`${commits} commits today, counting the one we began with.`,
			`What I would tell the next person, oldest first:\n\n${facts.map((fact) => `- ${describe(fact)}`).join("\n")}`,
			desk.recall(),
		].join("\n\n"),
	};
}

/** `most` facts spread evenly from the oldest to the newest. */
function spread(facts: readonly Fact[], most: number): Fact[] {
	const step = Math.max(1, facts.length / most);
	return Array.from({ length: Math.min(most, facts.length) }, (_, i) => facts[Math.floor(i * step)]).filter(
		(fact) => fact !== undefined,
	);
}
