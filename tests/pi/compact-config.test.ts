import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compactConfigIn, DEFAULT_COMPACT_CONFIG } from "../../src/adapters/pi/compact-config.ts";
import { compactConfigInForce, scaffoldCompactConfig } from "../../src/adapters/pi/compact-config-file.ts";
import { learnTrust } from "../../src/adapters/pi/project-trust.ts";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { BILLED, Sandbox } from "./sandbox.ts";

const before = process.env.PI_CODING_AGENT_DIR;
let cwd = "";
let agent = "";

beforeEach(async () => {
	cwd = mkdtempSync(join(tmpdir(), "palimpsest-project-"));
	agent = join(mkdtempSync(join(tmpdir(), "palimpsest-agent-")), "agent");
	process.env.PI_CODING_AGENT_DIR = agent;
	write(join(agent, "trust.json"), { [realpathSync(cwd)]: true });
	await learnTrust(trusted());
	rmSync(agent, { recursive: true });
});

afterEach(() => {
	process.env.PI_CODING_AGENT_DIR = before;
	for (const folder of [cwd, join(agent, "..")]) rmSync(folder, { recursive: true, force: true });
});

const project = () => join(cwd, ".pi", "pi-compact.json");
const global = () => join(agent, "pi-compact.json");
const trusted = () => ({ cwd, isProjectTrusted: () => true });
const compactConfig = (place: Parameters<typeof compactConfigInForce>[0]) =>
	compactConfigInForce(place).config;
const untrusted = () => ({ cwd, isProjectTrusted: () => false });

function write(path: string, content: unknown): void {
	mkdirSync(join(path, ".."), { recursive: true });
	writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

test("the project's file holds whole, and what it lacks is the defaults', not the global file's", () => {
	write(project(), { summaryMaxChars: 900 });
	write(global(), { enabled: false, recallMaxResults: 3 });
	expect(compactConfig(trusted())).toEqual({ ...DEFAULT_COMPACT_CONFIG, summaryMaxChars: 900 });
});

test("a project that is not trusted has no file to follow", () => {
	write(project(), { enabled: false });
	expect(compactConfig(untrusted())).toEqual(DEFAULT_COMPACT_CONFIG);
	write(global(), { summaryMaxChars: 900 });
	expect(compactConfig(untrusted()).summaryMaxChars).toBe(900);
	const throwing = {
		cwd,
		isProjectTrusted: () => {
			throw new Error("stale");
		},
	};
	expect(compactConfig(throwing).enabled).toBe(true);
});

test("a project that the host saw nothing to ask about has no file to follow, until somebody trusts it", async () => {
	write(project(), { enabled: false });
	const isFollowed = async () => {
		await learnTrust(trusted());
		return !compactConfig(trusted()).enabled;
	};
	expect(await isFollowed()).toBe(false);
	for (const decision of [false, null, true]) {
		write(join(agent, "trust.json"), { [realpathSync(cwd)]: decision });
		expect(await isFollowed()).toBe(decision === true);
	}
	write(join(agent, "trust.json"), "{");
	expect(await isFollowed()).toBe(false);
	rmSync(join(agent, "trust.json"));
	write(join(cwd, ".pi", "settings.json"), {});
	expect(await isFollowed()).toBe(true);
});

test("a file that is not followed is told of in one sentence when a session begins", async () => {
	await using sandbox = new Sandbox();
	const file = join(sandbox.dir, "pi-compact.json");
	write(file, "{ broken");
	const host = await sandbox.create({ models: BILLED, engine: (pi: ExtensionAPI) => registerPalimpsest(pi) });
	const told = host.said.filter((words) => words.includes("pi-compact.json"));
	expect(told).toEqual([
		expect.stringContaining(`Palimpsest: ${file} is not followed, and the defaults hold: `),
	]);
	await host.ask("go on");
	expect(host.said.filter((words) => words.includes("pi-compact.json"))).toEqual(told);
});

test("a project's file that cannot be read means the defaults, and not the global file", () => {
	write(global(), { enabled: false });
	for (const broken of ["{", "", "null", "[]", "7", `{"summaryMaxChars": ${"1".repeat(70_000)}}`]) {
		write(project(), broken);
		expect(compactConfig(trusted())).toEqual(DEFAULT_COMPACT_CONFIG);
	}
});

test("an edit counts at once", () => {
	write(project(), { summaryMaxChars: 900 });
	expect(compactConfig(trusted()).summaryMaxChars).toBe(900);
	write(project(), { summaryMaxChars: 1_000 });
	expect(compactConfig(trusted()).summaryMaxChars).toBe(1_000);
	rmSync(project());
	expect(compactConfig(trusted())).toEqual(DEFAULT_COMPACT_CONFIG);
});

test.each([
	[
		"above its cap is the cap",
		{ summaryMaxChars: 1e9, sessionSummary: { maxEvidence: 501 } },
		{ summaryMaxChars: 100_000, sessionSummary: { maxEvidence: 500 } },
	],
	["of a wrong type is the default", { enabled: "no", summaryMaxChars: "9", memory: { enabled: 0 } }, {}],
	[
		"that is no positive whole number is the default",
		{ summaryMaxChars: 0, recallMaxChars: -1, recallMaxResults: 1.5 },
		{},
	],
	["below its least is the default", { sessionSummary: { maxEvidence: 1 } }, {}],
	[
		"that is flat counts",
		{ memoryEnabled: false, windowManifest: false, sessionSummaryInject: false },
		{ memory: { enabled: false }, window: { manifest: false }, sessionSummary: { inject: false } },
	],
	["that is flat yields to the nested one", { memoryEnabled: false, memory: { enabled: true } }, {}],
	["that nobody knows is passed over", { colour: "red", memory: { colour: "red" } }, {}],
	["autoRecall off turns the mode off", { autoRecall: false }, { autoRecall: false, autoRecallMode: "off" }],
	[
		"a mode that is given wins over autoRecall",
		{ autoRecall: false, autoRecallMode: "hint" },
		{ autoRecall: false, autoRecallMode: "hint" },
	],
])("a field %s", (_rule, content, changed) => {
	expect(compactConfigIn(content)).toEqual(merged(changed));
});

test("whatever a file holds gives a configuration with every field", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (content) => {
			const shape = (value: unknown): unknown =>
				typeof value === "object" && value !== null
					? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
					: typeof value;
			expect(shape(compactConfigIn(content))).toEqual(shape(DEFAULT_COMPACT_CONFIG));
		}),
	);
});

function merged(changed: object): unknown {
	const config = structuredClone(DEFAULT_COMPACT_CONFIG) as unknown as Record<string, object>;
	for (const [name, value] of Object.entries(changed))
		config[name] = typeof value === "object" ? { ...config[name], ...value } : value;
	return config;
}

test("the global file is made where neither exists, holds the defaults, and no other is ever touched", () => {
	scaffoldCompactConfig(trusted());
	expect(existsSync(project())).toBe(false);
	expect(compactConfigIn(JSON.parse(readFileSync(global(), "utf8")))).toEqual(DEFAULT_COMPACT_CONFIG);
	const { mtimeMs, ino } = statSync(global());
	scaffoldCompactConfig(trusted());
	expect(statSync(global())).toMatchObject({ mtimeMs, ino });
	rmSync(global());
	write(project(), "{");
	scaffoldCompactConfig(trusted());
	expect(existsSync(global())).toBe(false);
	expect(readFileSync(project(), "utf8")).toBe("{");
});

test("where no file can be made the defaults hold", () => {
	write(join(agent, "..", "agent"), "a file where the folder should be");
	expect(() => scaffoldCompactConfig(trusted())).not.toThrow();
	expect(compactConfig(trusted())).toEqual(DEFAULT_COMPACT_CONFIG);
});

test.each([{ enabled: false }, { overrideDefaultCompaction: false }])(
	"with %j a compaction that happens is the host's, and folding goes on",
	async (off) => {
		await using sandbox = new Sandbox();
		write(join(sandbox.dir, "pi-compact.json"), off);
		const engine = (pi: ExtensionAPI) => registerPalimpsest(pi);
		const compaction = { reserveTokens: 2_000, keepRecentTokens: 2_000 };
		const host = await sandbox.create({ models: BILLED, engine, compaction });
		for (let n = 0; n < 12; n++) await host.work(`topic-${n}`, 3, 6_000);
		expect(host.said.some((words) => words.includes("folded about"))).toBe(true);
		// at its threshold it is cancelled all the same
		expect(host.path("compaction")).toEqual([]);
		host.script([() => fauxAssistantMessage("a summary"), () => fauxAssistantMessage("of the turn")]);
		expect((await host.session.compact()).summary).toContain("a summary");
		expect(host.errors).toEqual([]);
	},
);

test("the size a file allows is kept to, and a session's start makes the file where there is none", async () => {
	await using sandbox = new Sandbox();
	const file = join(sandbox.dir, "pi-compact.json");
	const host = await sandbox.create({ models: BILLED, engine: (pi: ExtensionAPI) => registerPalimpsest(pi) });
	expect(existsSync(file)).toBe(true);
	for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic, 3, 6_000);
	write(file, { summaryMaxChars: 700 });
	const { summary } = await host.session.compact();
	expect(summary).toMatch(/^\[Checkpoint win_/);
	expect(summary.length).toBeLessThanOrEqual(700);
});

test("a checkpoint holds the work summary unless a file says that it is not to", async () => {
	for (const sessionSummary of [{}, { inject: false }, { enabled: false }]) {
		await using sandbox = new Sandbox();
		write(join(sandbox.dir, "pi-compact.json"), { sessionSummary });
		const host = await sandbox.create({
			models: BILLED,
			engine: (pi: ExtensionAPI) => registerPalimpsest(pi),
		});
		for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic, 3, 6_000);
		const { summary } = await host.session.compact();
		const isTold = Object.keys(sessionSummary).length === 0;
		expect(summary.includes("\nWork summary, written by the runtime: excerpts")).toBe(isTold);
		expect(summary).toContain("Before this, oldest first");
	}
});
