import { expect, test } from "vitest";
import { EVENT_ERROR_CODES } from "../../events/registry.ts";
import { PAGE_ERROR_CODES } from "../../src/adapters/page/page-error.ts";
import { sessionErrorCodes } from "../../src/adapters/sessions/pi/session-error.ts";
import { replayErrorCodes } from "../../src/adapters/sessions/replay-error.ts";
import { cliErrorCodes } from "../../src/cli/cli-error.ts";
import { STORE_ERROR_CODES } from "../../src/store/errors.ts";

test("each layer's codes carry its name, so that no two layers share one", () => {
	const layers = {
		EVENT_: EVENT_ERROR_CODES,
		STORE_: STORE_ERROR_CODES,
		SESSION_: sessionErrorCodes,
		REPLAY_: replayErrorCodes,
		CLI_: cliErrorCodes,
		PAGE_: PAGE_ERROR_CODES,
	};
	for (const [name, codes] of Object.entries(layers)) {
		for (const [code, meaning] of Object.entries(codes)) {
			expect(code.startsWith(name)).toBe(true);
			expect(meaning).not.toBe("");
		}
	}
});
