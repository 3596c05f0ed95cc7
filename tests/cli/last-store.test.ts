import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inside } from "./inside.ts";
import { TIGHT, writeRecording } from "./recording.ts";

const LATER = new Date("2026-01-02");
const EARLIER = new Date("2026-01-01");
let home: string;
let sessions: string;
let replay: string;
let live: string;
let file: string;

/** A home with the replay of a session, and its store as that of one that ran in this folder. */
beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-last-"));
	sessions = join(home, "pi");
	mkdirSync(sessions);
	const { path, id } = writeRecording(sessions, { cwd: process.cwd() });
	file = path;
	({ store: replay } = JSON.parse((await inside(home, "replay", path, ...TIGHT, "--json")).text));
	live = join(home, "sessions", id);
	cpSync(replay, live, { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function asked() {
	vi.stubEnv("PI_CODING_AGENT_SESSION_DIR", sessions);
	return inside(home, "stats");
}

/** Has what lies in a store be written at a time. */
function written(store: string, at: Date): void {
	for (const name of ["level/CURRENT", "."]) utimesSync(join(store, name), at, at);
}

test("where no store is named, the last replay or session of this folder is meant, whichever is the later", async () => {
	written(replay, EARLIER);
	expect((await asked()).stderr).toContain(`reading ${live}\n`);
	written(replay, new Date(Date.now() + 60_000));
	expect((await asked()).stderr).toContain(`reading ${replay}\n`);
});

test("a session that ran elsewhere, or without the engine, is not meant", async () => {
	written(replay, LATER);
	const text = readFileSync(file, "utf8");
	writeFileSync(file, text.replace(JSON.stringify(process.cwd()), '"/elsewhere"'));
	expect((await asked()).stderr).toContain(`reading ${replay}\n`);
	writeFileSync(file, text);
	rmSync(live, { recursive: true });
	expect((await asked()).stderr).toContain(`reading ${replay}\n`);
});

test("where there is neither, the refusal says what there could be", async () => {
	vi.stubEnv("PI_CODING_AGENT_SESSION_DIR", sessions);
	const ended = await inside(join(home, "nothing"), "stats");
	expect(ended).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^CLI_NO_STORE: nothing was replayed yet/),
	});
});
