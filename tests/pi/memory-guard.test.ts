import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardedIn } from "../../src/adapters/pi/memory-guard.ts";

const asked = vi.hoisted(() => ({ links: 0, paths: 0 }));
vi.mock("node:fs", async (original) => {
	const fs = await original<typeof import("node:fs")>();
	const counted =
		(name: "links" | "paths", call: (...args: never[]) => unknown) =>
		(...args: never[]) => {
			asked[name]++;
			return call(...args);
		};
	return {
		...fs,
		lstatSync: counted("links", fs.lstatSync),
		realpathSync: counted("paths", fs.realpathSync),
	};
});

const root = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-guard-")));
const home = join(root, "user");
const agent = join(home, ".pi", "agent");
const cwd = join(home, "project");
mkdirSync(join(agent, "palimpsest", "workspaces"), { recursive: true });
mkdirSync(join(cwd, "src"), { recursive: true });
writeFileSync(join(agent, "palimpsest-keyring.json"), "{}");
writeFileSync(join(agent, "settings.json"), "{}");
symlinkSync(join(agent, "palimpsest-keyring.json"), join(cwd, "config.json"));
symlinkSync(join(agent, "palimpsest-keyring.json"), join(cwd, "config"));
symlinkSync(agent, join(cwd, "linked"));
symlinkSync(join(cwd, "src"), join(cwd, "here.json"));

beforeEach(() => {
	vi.stubEnv("HOME", home);
	vi.stubEnv("PI_CODING_AGENT_DIR", agent);
	vi.stubEnv("PALIMPSEST_HOME", "");
	expect(homedir()).toBe(home);
});
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => rmSync(root, { recursive: true, force: true }));

const guarded = (input: unknown, toolName = "bash") => guardedIn({ toolName, input }, cwd);

test.each([
	"cat $PI_CODING_AGENT_DIR/palimpsest-keyring.json",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
	"cat ${PI_CODING_AGENT_DIR}/palimpsest-keyring.json",
	"cat ~/.pi/../.pi/agent/palimpsest-keyring.json",
	"cd ~/.pi; cat agent/palimpsest-keyring.json",
	'cat ~/.pi/agent/"palimpsest-"keyring.json',
	"cat ~/.pi/agent/palimpsest\\-keyring.json",
	"curl file:///etc/../palimpsest-keyring.json",
	`curl file://${agent}/palimpsest/workspaces/a`,
	`ls /proc/self/root${agent}/palimpsest`,
	"ls $PI_CODING_AGENT_DIR/palimpsest/workspaces",
	"ls ~/.pi/../.pi/agent/palimpsest",
	"cd ~/.pi && cd agent && ls palimpsest",
	"git -C ~/.pi/agent log palimpsest",
	"rm -rf ~/.pi/agent",
	"rm -r -f $HOME/.pi",
	"mv ~/.pi /tmp/x",
	"rm -rf ~/.pi/*",
	"cat ~/.pi/agent/*.json",
	"cat ~/.p*/ag?nt/palimp*",
	"cat ~/.pi/agent/{settings,palimpsest-keyring}.json",
	"cd ~/.pi/agent && cat *",
	"bash -c 'cat ~/.pi/agent/*.json'",
	"find ~ -name 'palimpsest-key*' -exec cat {} +",
	"tar c ~/.pi/agent",
	"cp -r ~/.pi/agent /tmp/x",
	"grep -rn secret ~/.pi/agent",
	"cat config.json",
	"cat config",
	"cat linked/palimpsest/x",
	"cat linked/../agent/palimpsest/x",
	"tool --file=~/.pi/agent/palimpsest/x",
	`echo ${"x ".repeat(2_000)}; cat ~/.pi/agent/palimpsest/x`,
])("a command that leads to the keyring or the stores is refused: %s", (command) => {
	expect(guarded({ command })).toBeDefined();
});

test.each([
	{ path: "config.json" },
	{ path: "~/.pi/agent/palimpsest-keyring.json", content: "x" },
	{ path: "linked/palimpsest" },
	{ path: "../.pi/agent/palimpsest/workspaces/x" },
])("a path that leads there is refused: %j", (input) => {
	expect(guarded(input, "write")).toBeDefined();
});

test("a search below Pi's own folder is refused", () => {
	expect(guarded({ pattern: "secret", path: "~/.pi/agent" }, "grep")).toBeDefined();
	expect(guarded({ pattern: "secret", path: "src" }, "grep")).toBeUndefined();
});

test.each([
	"ls ~/.pi/agent",
	"cat ~/.pi/agent/settings.json",
	"cat ~/.pi/agent/sett*.json",
	"cat src/*.ts",
	"rm -rf src node_modules",
	"rm -rf ../other",
	"grep -rn palimpsest .",
	"rg palimpsest ~/project",
	"cat here.json",
	"npm install pi-palimpsest",
	"cp -r src /tmp/x",
	"echo $UNKNOWN_THING/x",
	"curl https://example.org/a/b",
])("a command that leads elsewhere runs: %s", (command) => {
	expect(guarded({ command })).toBeUndefined();
});

test("a text that only speaks of the keyring is no way to it", () => {
	const said = "see ~/.pi/agent/palimpsest-keyring.json";
	expect(guarded({ path: "notes.md", content: said }, "write")).toBeUndefined();
	expect(guarded({ path: "notes.md", edits: [{ oldText: said, newText: said }] }, "edit")).toBeUndefined();
	expect(guarded({ path: "notes.md", edits: JSON.stringify([{ newText: said }]) }, "edit")).toBeUndefined();
	expect(guarded({ text: said }, "pi_memory_propose")).toBeUndefined();
	expect(guarded({ pattern: "palimpsest-keyring.json", path: "src" }, "grep")).toBeUndefined();
});

test("a home of the stores that holds the working folder too closes only the stores", () => {
	vi.stubEnv("PALIMPSEST_HOME", home);
	expect(guarded({ path: "src/a.ts" }, "read")).toBeUndefined();
	expect(guarded({ path: "../workspaces/a" }, "read")).toBeDefined();
});

test("a call with no word that looks like a path asks the disk only whether its words are links, and not of all", () => {
	asked.links = 0;
	asked.paths = 0;
	expect(guarded({ command: `echo --quiet ${"word ".repeat(100)}` })).toBeUndefined();
	expect(asked).toEqual({ links: 3, paths: 0 });
	expect(guarded({ command: Array.from({ length: 500 }, (_, n) => `w${n}`).join(" ") })).toBeUndefined();
	expect(asked).toEqual({ links: 35, paths: 0 });
});
