import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A throw-away copy of the repository's last commit, with a history of its own, in which an agent may do as it likes. */
export interface Checkout {
	/** the repository it was copied from, as an absolute path without symbolic links */
	readonly origin: string;
	/** its dependencies, wherever they are linked from */
	readonly dependencies: string;
	/** scratch directory around the copy: sessions and the host's own files go here, outside the agent's sight */
	readonly scratch: string;
	/** the copy, a git repository with one commit */
	readonly dir: string;
	dispose(): void;
}

/** What a copy leaves out: recordings and the recorder, so that a session never holds a session or its own script. */
const LEFT_OUT = ["tests/sessions", "tests/recorded.test.ts", "bench/record"];

/** When the copy's one commit says it was made, shortly before the recorded session begins. */
const COMMITTED_AT = "2026-02-27T16:20:00Z";

/**
 * Copies the last commit of the repository around the working directory. Dependencies are linked, not copied. What is
 * not committed is not copied, so that two recordings of one commit start from the same bytes.
 */
export function checkOut(): Checkout {
	const origin = realpathSync(git(process.cwd(), "rev-parse", "--show-toplevel").trim());
	const scratch = realpathSync(mkdtempSync(join(tmpdir(), "pi-recording-")));
	const dir = join(scratch, "palimpsest");
	mkdirSync(dir);
	const archive = join(scratch, "head.tar");
	git(origin, "archive", "--output", archive, "HEAD");
	execFileSync("tar", ["-xf", archive, "-C", dir]);
	for (const path of LEFT_OUT) rmSync(join(dir, path), { recursive: true, force: true });
	git(dir, "init", "--quiet", "--initial-branch", "main");
	writeFileSync(join(dir, ".git", "info", "exclude"), "node_modules\n");
	git(dir, "config", "user.name", "dev");
	git(dir, "config", "user.email", "dev@example.org");
	git(dir, "add", "--all");
	git(dir, "commit", "--quiet", "--message", "Start of the day");
	const dependencies = realpathSync(join(origin, "node_modules"));
	symlinkSync(dependencies, join(dir, "node_modules"));
	return {
		origin,
		dependencies,
		scratch,
		dir,
		dispose: () => rmSync(scratch, { recursive: true, force: true }),
	};
}

/**
 * Makes this process, and so every command the agent runs, forget who and where it is: no user configuration of git
 * or npm, no colours, no network, one author date.
 */
export function becomeAnonymous(bin: string): void {
	for (const name of Object.keys(process.env)) {
		if (/^(npm_|NPM_|INIT_CWD$|GIT_|FORCE_COLOR$|VITEST|CI$|GITHUB_)/.test(name)) delete process.env[name];
	}
	Object.assign(process.env, {
		PATH: `${bin}:${process.env.PATH}`,
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_AUTHOR_DATE: COMMITTED_AT,
		GIT_COMMITTER_DATE: COMMITTED_AT,
		GIT_PAGER: "cat",
		LC_ALL: "C",
		TZ: "UTC",
		NO_COLOR: "1",
		PI_OFFLINE: "1",
		PI_TELEMETRY: "0",
		PI_SKIP_VERSION_CHECK: "1",
		npm_config_update_notifier: "false",
		npm_config_logs_max: "0",
		npm_config_offline: "true",
	});
}

function git(cwd: string, ...args: string[]): string {
	return execFileSync("git", args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
}
