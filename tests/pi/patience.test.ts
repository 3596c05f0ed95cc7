import { expect, test } from "vitest";
import { type Clock, Patience, WRITE_MS } from "../../src/adapters/pi/patience.ts";

/** A clock that is at the end of every pause at once, and then does something. */
function jumping(then: (now: number) => void = () => {}): Clock {
	let now = 0;
	return {
		now: () => now,
		pause: async (ms) => {
			now += ms;
			then(now);
		},
	};
}

const never = () => new Promise<never>(() => {});

test("what the disk does not do in its time is not waited for, by those who come later either", async () => {
	const clock = jumping();
	const patience = new Patience(clock);
	const write = patience.of(WRITE_MS, never);
	expect(patience.isOut).toBe(false);
	expect(await patience.lasts(write)).toBe(false);
	expect(clock.now()).toBe(WRITE_MS);
	expect(patience.isOut).toBe(true);
	expect(await patience.lasts(never())).toBe(false);
	expect(clock.now()).toBe(WRITE_MS);
});

test("what the disk has no part in is waited for however long it takes", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const clock = jumping((now) => now > 500 * WRITE_MS && resolve());
	expect(await new Patience(clock).lasts(promise)).toBe(true);
	expect(clock.now()).toBeGreaterThan(500 * WRITE_MS);
});

test("a disk that does each thing in its time is waited for, and once that takes too long at a stretch no more", async () => {
	for (const [writes, isDone] of [
		[20, true],
		[100, false],
	] as const) {
		let write = Promise.withResolvers<void>();
		const clock = jumping(() => write.resolve());
		const patience = new Patience(clock);
		const work = async () => {
			for (let n = 0; n < writes; n++) {
				write = Promise.withResolvers();
				await patience.of(WRITE_MS, () => write.promise);
			}
		};
		expect(await patience.lasts(work())).toBe(isDone);
		expect(clock.now()).toBeLessThan(31 * WRITE_MS);
		// it still does what it was asked, and is waited for again
		write.resolve();
		await new Promise(setImmediate);
		expect(patience.isOut).toBe(false);
	}
});

test("a disk that answered while we kept it from being heard is not given up", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const patience = new Patience(jumping(() => setImmediate(resolve)));
	expect(await patience.lasts(patience.of(WRITE_MS, () => promise))).toBe(true);
});

test("what is thrown is thrown to who waits, and to nobody once that was given up", async () => {
	const patience = new Patience(jumping());
	await expect(patience.lasts(Promise.reject(new Error("full")))).rejects.toThrow("full");
	const { promise, reject } = Promise.withResolvers<void>();
	expect(await patience.lasts(patience.of(WRITE_MS, () => promise))).toBe(false);
	reject(new Error("too late"));
	await new Promise(setImmediate);
	expect(patience.isOut).toBe(false);
});
