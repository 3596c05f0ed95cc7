import { expect, test, vi } from "vitest";
import { sayOnceRedrawn } from "../../src/adapters/pi/say.ts";

test("in a terminal a compaction is told of once the conversation was drawn anew, elsewhere at once", () => {
	vi.useFakeTimers();
	try {
		const said: string[] = [];
		const ctx = (mode: string) =>
			({ mode, hasUI: true, ui: { notify: (text: string) => said.push(text) } }) as never;
		sayOnceRedrawn(ctx("rpc"), "at once", "info");
		sayOnceRedrawn(ctx("tui"), "later", "info");
		expect(said).toEqual(["Palimpsest: at once"]);
		vi.runAllTimers();
		expect(said).toEqual(["Palimpsest: at once", "Palimpsest: later"]);
	} finally {
		vi.useRealTimers();
	}
});
