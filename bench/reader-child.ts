/**
 * Reads a session file in a process of its own, for `reader.ts`: `entries` with the reader, `parse` with nothing but
 * a line scan and `JSON.parse`, `scan` with the line scan alone. Prints `{ seconds, rss, count }`, rss in bytes.
 */
import { open } from "node:fs/promises";
import { openSession } from "../src/adapters/sessions/pi/session.ts";

async function entries(path: string): Promise<number> {
	let count = 0;
	for await (const _ of (await openSession(path)).entries) count++;
	return count;
}

async function lines(path: string, take: (line: Buffer) => void): Promise<number> {
	const chunk = Buffer.allocUnsafeSlow(1024 * 1024);
	const handle = await open(path);
	let count = 0;
	let kept = 0;
	for (;;) {
		const { bytesRead } = await handle.read(chunk, kept, chunk.length - kept);
		if (bytesRead === 0) break;
		const filled = chunk.subarray(0, kept + bytesRead);
		let start = 0;
		for (let end = filled.indexOf(10); end !== -1; end = filled.indexOf(10, start)) {
			take(filled.subarray(start, end));
			count++;
			start = end + 1;
		}
		kept = filled.copy(chunk, 0, start);
	}
	await handle.close();
	return count;
}

const [mode, path = ""] = process.argv.slice(2);
const began = performance.now();
let count: number;
if (mode === "entries") count = await entries(path);
else if (mode === "parse") count = await lines(path, (line) => JSON.parse(line.toString()));
else count = await lines(path, () => {});
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, rss: process.resourceUsage().maxRSS * 1024, count }));
