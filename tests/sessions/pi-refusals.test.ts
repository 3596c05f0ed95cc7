import {
	chmodSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "../../src/adapters/sessions/pi/session.ts";
import { SessionError, sessionErrorCodes } from "../../src/adapters/sessions/pi/session-error.ts";
import { drain, fileOf, folder, header, node, textOf, user } from "./pi-fixture.ts";

async function refusal(path: string): Promise<SessionError> {
	const error = await openSession(path).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(SessionError);
	const refused = error as SessionError;
	expect(refused.path).toBe(path);
	expect(refused.message).toContain(path);
	expect(sessionErrorCodes[refused.code]).toBeTypeOf("string");
	return refused;
}

async function codeOf(content: Parameters<typeof fileOf>[0]): Promise<string> {
	return (await refusal(fileOf(content))).code;
}

test("a path without a file is not found", async () => {
	const path = fileOf([header(3)]);
	expect((await refusal(`${path}.gone`)).code).toBe("SESSION_NOT_FOUND");
	expect((await refusal(join(path, "below-a-file"))).code).toBe("SESSION_NOT_FOUND");
});

test("a folder is no file", async () => {
	expect((await refusal(tmpdir())).code).toBe("SESSION_NOT_A_FILE");
	expect((await refusal("/dev/null")).code).toBe("SESSION_NOT_A_FILE");
});

test("a file of nothing, or of nothing but white space, is empty", async () => {
	expect(await codeOf(Buffer.alloc(0))).toBe("SESSION_EMPTY");
	expect(await codeOf(["", "  ", "\t\r"])).toBe("SESSION_EMPTY");
});

test("a binary file, a text, other JSON and a broken line alone are no session", async () => {
	const noise = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 3)) % 256));
	const package_ = { name: "x", version: "1.0.0", type: "module" };
	const others: Parameters<typeof fileOf>[0][] = [
		noise,
		Buffer.alloc(5000),
		["# A readme", "with words"],
		[package_],
		[[1, 2, 3], 42, "text"].map((value) => JSON.stringify(value)),
		[{ type: "event", id: 1 }],
		['{"type":"session","id":"x"'],
	];
	for (const content of others) expect(await codeOf(content)).toBe("SESSION_NOT_A_SESSION");
});

test("sessions of other programs are refused by name", async () => {
	const claude = [
		{
			parentUuid: null,
			isSidechain: false,
			type: "user",
			uuid: "u",
			sessionId: "s",
			message: { role: "user" },
		},
		{ type: "summary", summary: "what was", leafUuid: "u" },
		{ type: "file-history-snapshot", messageId: "m", snapshot: {} },
		{ type: "queue-operation", operation: "enqueue", sessionId: "s" },
	];
	const codex = [
		{ timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "x" } },
		{ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload: { type: "message" } },
		{ id: "x", timestamp: "2026-01-01T00:00:00Z", instructions: null },
	];
	for (const [name, firsts] of [
		["Claude Code", claude],
		["Codex", codex],
	] as const) {
		for (const first of firsts) {
			const { code, message } = await refusal(fileOf([first]));
			expect(code).toBe("SESSION_FORMAT_UNSUPPORTED");
			expect(message).toContain(name);
		}
	}
});

test("a later format of Pi is refused by its number", async () => {
	for (const version of [4, "next"]) {
		const { code, message } = await refusal(fileOf([{ ...header(3), version }]));
		expect(code).toBe("SESSION_FORMAT_UNSUPPORTED");
		expect(message).toContain(String(version));
	}
});

test("broken lines before the header are no reason to refuse", async () => {
	const session = await openSession(
		fileOf(["rubbish", '{"type":"sess', textOf(header(3)), textOf(node("label", 1, {}))]),
	);
	expect(session.header?.id).toBe("0190-session");
	expect(await drain(session.entries)).toHaveLength(1);
});

test("a file that shrinks while it is read is unreadable from there on", async () => {
	const lines = Array.from({ length: 40 }, (_, i) => node("message", i + 1, user("x".repeat(100_000))));
	const path = fileOf([header(3), ...lines]);
	const session = await openSession(path);
	const read = (async () => {
		for await (const { id } of session.entries) if (id === "e1") truncateSync(path, 10);
	})();
	await expect(read).rejects.toMatchObject({ code: "SESSION_UNREADABLE" });
});

test("reading writes nothing: a read-only file in a read-only folder stays as it was", async () => {
	const torn = `${[header(), node("message", 1, user("a"))].map(textOf).join("\n")}\n{"type":"mess`;
	const path = join(folder(), "session.jsonl");
	writeFileSync(path, torn);
	chmodSync(path, 0o444);
	chmodSync(dirname(path), 0o555);
	try {
		const before = statSync(path, { bigint: true });
		expect(await drain((await openSession(path)).entries)).toHaveLength(1);
		const after = statSync(path, { bigint: true });
		expect([after.mtimeNs, after.ctimeNs, after.ino, after.size]).toEqual([
			before.mtimeNs,
			before.ctimeNs,
			before.ino,
			before.size,
		]);
		expect(readFileSync(path, "utf8")).toBe(torn);
		expect(readdirSync(dirname(path))).toEqual(["session.jsonl"]);
	} finally {
		chmodSync(dirname(path), 0o755);
	}
});

if (process.platform === "linux") {
	test("a pass that is given up leaves the file closed", async () => {
		const path = fileOf([header(3), node("label", 1, {}), node("label", 2, {})]);
		const session = await openSession(path);
		expect(handlesOn(path)).toBe(0);
		for await (const { id } of session.entries) {
			expect(id).toBe("e1");
			expect(handlesOn(path)).toBe(1);
			break;
		}
		expect(handlesOn(path)).toBe(0);
	});
}

function handlesOn(path: string): number {
	return readdirSync("/proc/self/fd").filter((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`) === path;
		} catch {
			return false; // closed since it was listed
		}
	}).length;
}
