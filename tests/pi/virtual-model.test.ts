import { expect, test } from "vitest";
import { Router } from "./router.ts";
import { BILLED, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

test("a virtual model is worth what the model is that answered last, from its first reply on", async () => {
	await using sandbox = new Sandbox();
	const router = new Router(() => "faux-2");
	const host = await sandbox.create({ models: BILLED, settings: QUICK_SETTINGS, before: [router.extension] });
	await router.choose();
	await host.ask("hello");
	await host.ask("again");
	await host.ask("and again");
	expect(host.errors).toEqual([]);
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const worths = events.filter(({ type }) => type === "valuation/changed").map(({ data }) => data);
	expect(worths).toMatchObject([{ model: "faux/faux-2", unit: "usd", window: 30_000 }]);
	const prepared = events.filter(({ type }) => type === "request/prepared").map(({ data }) => data.model);
	expect(prepared).toEqual(["unknown", "faux/faux-2", "faux/faux-2"]);
});
