import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { startProgress } from "../../src/adapters/sessions/progress.ts";

function watched(isTTY: boolean): { stream: PassThrough & { isTTY: boolean }; text: () => string } {
	const stream = Object.assign(new PassThrough(), { isTTY });
	let text = "";
	stream.on("data", (chunk: Buffer) => {
		text += chunk.toString();
	});
	return { stream, text: () => text };
}

test("a bar appears once the work has taken a second, and is taken away at the end", () => {
	const { stream, text } = watched(true);
	let now = 0;
	const progress = startProgress("reading", 200, { stream, now: () => now });
	progress.update(10);
	now = 999;
	progress.update(20);
	expect(text()).toBe("");
	now = 1000;
	progress.update(50);
	expect(text()).toContain("reading");
	expect(text()).toContain("25 %");
	progress.stop();
	const done = text();
	progress.stop();
	progress.update(200);
	expect(text()).toBe(done);
});

test("nothing is drawn where nobody watches", () => {
	const { stream, text } = watched(false);
	let now = 0;
	const progress = startProgress("reading", 200, { stream, now: () => now });
	now = 5000;
	progress.update(100);
	progress.stop();
	expect(text()).toBe("");
});
