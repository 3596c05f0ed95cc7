import { stderr } from "node:process";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import palimpsest from "../../src/adapters/pi/extension.ts";
import { OLDEST_HOST } from "../../src/adapters/pi/host-version.ts";

let version: unknown;

beforeEach(() =>
	vi.doMock("@earendil-works/pi-coding-agent", () => ({
		get VERSION() {
			return version;
		},
	})),
);

afterEach(() => {
	vi.doUnmock("@earendil-works/pi-coding-agent");
	vi.resetModules();
	vi.restoreAllMocks();
});

/** A host of a release, with what its API has: what was asked of it, and what is said when it starts. */
async function hostOf(release: unknown, lacks: readonly string[] = []) {
	version = release;
	const asked: string[] = [];
	const said: string[] = [];
	const starts: ((event: object, ctx: object) => unknown)[] = [];
	const api: Record<string, unknown> = {
		on: (event: string, handler: () => unknown) => {
			asked.push(event);
			if (event === "session_start") starts.push(handler);
		},
		registerCommand: (name: string) => asked.push(name),
		registerTool: ({ name }: { name: string }) => asked.push(name),
		appendEntry: () => asked.push("entry"),
		getAllTools: () => [],
		getCommands: () => [],
	};
	for (const name of lacks) delete api[name];
	await palimpsest(api as unknown as ExtensionAPI);
	const start = async (reason?: string) => {
		const sessionManager = { getSessionId: () => "s1" };
		const ctx = {
			hasUI: true,
			ui: { notify: (text: string) => said.push(text) },
			sessionManager,
			cwd: "/nowhere",
		};
		for (const handler of starts) await handler(reason === undefined ? {} : { reason }, ctx);
	};
	return { asked, said, start };
}

test("an older host is told so in one sentence when it starts, and asked for nothing else", async () => {
	for (const release of ["1.3.2", "1.3.99", "0.87.1", "0.9.0"]) {
		const { asked, said, start } = await hostOf(release);
		expect(asked).toEqual(["session_start"]);
		for (const reason of ["startup", "new", "resume", "fork"]) await start(reason);
		expect(said).toEqual([
			`Palimpsest: needs Pi ${OLDEST_HOST} or later; this is ${release}: it does nothing here`,
		]);
	}
});

test("so is a host that gives no reason for a start, and one without a screen on stderr", async () => {
	const { said, start } = await hostOf("0.60.0");
	await start();
	expect(said).toHaveLength(1);
	const write = vi.spyOn(stderr, "write").mockReturnValue(true);
	const started: ((event: object, ctx: object) => unknown)[] = [];
	await palimpsest({ on: (_: string, handler: never) => started.push(handler) } as unknown as ExtensionAPI);
	for (const handler of started) await handler({}, {});
	expect(write.mock.calls.map(([text]) => text)).toEqual([
		expect.stringMatching(/^Palimpsest: needs Pi .*\n$/),
	]);
});

test("the oldest release and later ones are served, their candidates too", async () => {
	for (const release of [OLDEST_HOST, "1.4.0-rc.1", "1.4.12", "1.10.0", "2.0.0"]) {
		const { asked, said, start } = await hostOf(release);
		await start("startup");
		expect(asked).toContain("context_with_system");
		expect(asked).toContain("pi_fold_context");
		expect(said).toEqual([]);
	}
});

test("a host without a number is known by what it lacks", async () => {
	const served = await hostOf(undefined);
	expect(served.asked).toContain("context_with_system");
	const { asked, said, start } = await hostOf("unknown", ["getAllTools"]);
	await start("startup");
	expect(asked).toEqual(["session_start"]);
	expect(said).toEqual([expect.stringMatching(/later; this one has no getAllTools: it does nothing here$/)]);
});

test("the manifest asks for no release of the host: the extension tells of that itself", () => {
	expect(manifest.peerDependencies["@earendil-works/pi-coding-agent"]).toBe("*");
});
