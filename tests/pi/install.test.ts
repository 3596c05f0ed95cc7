import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, Program } from "./program.ts";
import { isFold, shared } from "./shared.ts";

/** As many prompts as take a session past its first commit. */
const PROMPTS = Array.from({ length: 9 }, (_, n) => `question ${n}`);

/** Asks something; returns the messages of each request it took. */
async function ask(pi: Program, prompts: readonly string[], ...args: readonly string[]): Promise<string[][]> {
	const before = pi.requests().length;
	const { code, stderr } = await pi.run([...args, ...pi.answered, "-p", ...prompts]);
	expect(stderr).not.toMatch(/error|not loaded/i);
	expect(code).toBe(0);
	return pi.requests().slice(before);
}

/** Runs a command that must succeed and ask nothing. */
async function command(pi: Program, args: readonly string[], env?: Readonly<Record<string, string>>) {
	const { code, stdout, stderr } = await pi.run(args, env);
	expect(`${stdout}${stderr}`).not.toMatch(/error/i);
	expect(code).toBe(0);
}

test("pi install PATH folds; once removed plain Pi goes on with the raw window; installed again the folds are back", async () => {
	using pi = new Program();
	// few enough that /fold alone folds, and the window has room for what comes later
	const prompts = PROMPTS.slice(0, 7);
	await command(pi, ["install", CHECKOUT]);
	const folded = (await ask(pi, [...prompts, "/fold", "briefly, after the fold"])).at(-1) ?? [];
	expect(folded.some(isFold)).toBe(true);

	await command(pi, ["remove", CHECKOUT]);
	const [raw = []] = await ask(pi, ["briefly, without it"], "-c");
	expect(raw.some(isFold)).toBe(false);
	for (const prompt of [...prompts, "briefly, after the fold", "briefly, without it"]) {
		expect(raw.some((message) => message.includes(`"${prompt}"`))).toBe(true);
	}
	expect(raw.length).toBeGreaterThan(2 * prompts.length);

	await command(pi, ["install", CHECKOUT]);
	const [again = []] = await ask(pi, ["briefly, with it again"], "-c");
	expect(shared(folded, again)).toBe(folded.length);

	expect(readdirSync(pi.home)).toEqual(["agent"]);
	expect(readdirSync(pi.cwd)).toEqual([]);
});

test("pi install -l PATH is heeded in its folder alone, and there once the project is trusted", async () => {
	using pi = new Program();
	await command(pi, ["install", "-l", CHECKOUT, "--approve"]);
	expect(readdirSync(pi.cwd)).toEqual([".pi"]);
	expect((await ask(pi, PROMPTS)).some((request) => request.some(isFold))).toBe(false);
	expect((await ask(pi, PROMPTS, "--approve")).at(-1)?.some(isFold)).toBe(true);
	expect(JSON.parse(readFileSync(join(pi.cwd, ".pi", "settings.json"), "utf8")).packages).toHaveLength(1);
	expect(existsSync(join(pi.agent, "palimpsest", "sessions"))).toBe(true);
});

test("pi install from a git repository folds from its sources, and stays in Pi's own folder", async () => {
	using pi = new Program({ compilesAnew: true });
	using author = new Program();
	const repository = join(author.cwd, "pi-palimpsest");
	for (const name of ["src", "events", "projections", "package.json"]) {
		cpSync(join(CHECKOUT, name), join(repository, name), { recursive: true });
	}
	const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
	git("init", "-q");
	git("add", ".");
	git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "all");
	// stands in for npm, which would fetch the declared dependencies
	const npm = join(author.cwd, "npm.mjs");
	const modules = JSON.stringify(join(CHECKOUT, "node_modules"));
	writeFileSync(npm, `import { symlinkSync } from "node:fs"; symlinkSync(${modules}, "node_modules");`);
	mkdirSync(pi.agent);
	writeFileSync(join(pi.agent, "settings.json"), JSON.stringify({ npmCommand: [process.execPath, npm] }));

	await command(pi, ["install", "git:git.example.org/someone/pi-palimpsest"], {
		GIT_CONFIG_COUNT: "1",
		GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
		GIT_CONFIG_VALUE_0: "https://git.example.org/someone/pi-palimpsest",
	});
	expect((await ask(pi, PROMPTS)).at(-1)?.some(isFold)).toBe(true);
	expect(readdirSync(pi.home)).toEqual(["agent"]);
	expect(readdirSync(pi.cwd)).toEqual([]);
});
