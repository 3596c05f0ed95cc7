import { bash, type Desk, edit, read, write } from "./desk.ts";
import type { Feature } from "./feature-outline.ts";
import { testRun } from "./notes.ts";
import type { Turn } from "./scripted-model.ts";

/** Adds a feature the way the repository asks for: contract first, then module and test, a red run, a green one, checks. */
export function* addFeature(desk: Desk, feature: Feature, message: string): Turn {
	const { path, testPath } = feature;
	yield* desk.act({
		say: `First the contract and how a neighbour looks. ${desk.recall()}`,
		think: `I am to add ${path} with ${testPath}. The shapes come from projections/transcript.ts. ${desk.recall()}`,
		calls: [read("projections/transcript.ts", 1, 60), bash("git ls-files src/debug tests | head -40")],
	});
	yield* desk.act({
		say: `Writing \`${path}\`. It takes only the fields it needs, so a test can give plain objects.`,
		calls: [write(path, feature.draft)],
	});
	yield* desk.act({
		say: `Now its rules, one test each, in \`${testPath}\`.`,
		calls: [write(testPath, feature.test)],
	});
	const red = testRun(
		yield* desk.act({ say: "Running them.", calls: [bash(`npm test -- ${testPath} 2>&1 | tail -70`, 120)] }),
	);
	const { reason } = red;
	yield* desk.act({
		say: `${red.failed} failed and ${red.passed} passed: ${reason ?? "no reason given"}. Looking at the lines again.`,
		think: `The assertion says ${reason ?? "nothing"}. ${desk.recall()} Which line of ${path} produces that?`,
		calls: [bash(`grep -n "${feature.repair.oldText.slice(0, 12)}" ${path}`), read(path, 10, 40)],
	});
	yield* desk.act({ say: `Found it: ${feature.diagnosis}`, calls: [edit(path, feature.repair)] });
	const green = testRun(
		yield* desk.act({ say: "Again.", calls: [bash(`npm test -- ${testPath} 2>&1 | tail -40`, 120)] }),
	);
	const checks = yield* desk.act({
		say: `${green.passed} passed, ${green.failed} failed. Types, and the formatter over the two files.`,
		calls: [
			bash("npx tsc --noEmit 2>&1 | tail -15", 120),
			bash(`npx biome check --write ${path} ${testPath} 2>&1 | tail -30`, 60),
		],
	});
	const complaint = /error (TS\d+): (.*)/.exec(
		checks[0]?.text.split("\n").find((line) => line.startsWith(path)) ?? "",
	);
	if (complaint !== null && feature.leftovers.length > 0) {
		yield* desk.act({
			say: `${complaint[1]}: ${complaint[2]} That is what the repair left over; removing it.`,
			calls: [edit(path, ...feature.leftovers)],
		});
		yield* desk.act({
			say: "And once more, all three.",
			calls: [
				bash(
					`npx tsc --noEmit 2>&1 | grep -e ${path} -e ${testPath} || echo no complaint about these two`,
					120,
				),
				bash(`npm test -- ${testPath} 2>&1 | tail -20`, 120),
			],
		});
	}
	yield* desk.act({
		say: `What would be committed. ${desk.recall()}`,
		calls: [
			bash("git status --short; git diff --stat"),
			bash(`npx biome check ${path} ${testPath} 2>&1 | tail -12`, 60),
		],
	});
	yield* desk.act({
		say: "Committing these two files alone.",
		calls: [
			bash(`git add ${path} ${testPath} && git commit -q -m "${message}" && git log --oneline | head -3`),
		],
	});
	yield {
		say: [
			`\`${path}\` stands with ${green.passed} tests. The first draft was wrong (${reason ?? "see the run"}): ${feature.diagnosis}`,
			`Committed as "${message}". ${desk.recall()}`,
		].join("\n\n"),
	};
}
