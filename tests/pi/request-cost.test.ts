import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test, vi } from "vitest";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { isFold } from "./shared.ts";

/** The engine, telling `during` when a request waits for it. */
function watched(pi: ExtensionAPI, during: { request: boolean }): void {
	const on = (name: string, handler: (event: never, ctx: never) => unknown) => {
		if (name !== "context_with_system") pi.on(name as never, handler as never);
		else {
			pi.on(name, async (event, ctx) => {
				during.request = true;
				const result = (await handler(event as never, ctx as never)) as typeof event | undefined;
				during.request = false;
				return result;
			});
		}
	};
	registerEngine(new Proxy(pi, { get: (host, key) => (key === "on" ? on : Reflect.get(host, key)) }), () => {
		return QUICK_SETTINGS;
	});
}

/** How often the host was asked for each of these while a request waited. */
function counted(session: SessionManager, during: { readonly request: boolean }) {
	const counts = {
		getBranch: 0,
		buildSessionProjection: 0,
		buildContextEntries: 0,
		getEntries: 0,
		getTree: 0,
	};
	for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
		const original = session[name].bind(session) as () => never;
		vi.spyOn(session, name).mockImplementation(() => {
			if (during.request) counts[name]++;
			return original();
		});
	}
	return counts;
}

test("while folds stand a request has the host list nothing, in a tool loop and behind a prompt", async () => {
	await using sandbox = new Sandbox();
	const during = { request: false };
	const host = await sandbox.create({ engine: (pi) => watched(pi, during) });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	await host.ask("folded?");
	const counts = counted(host.session.sessionManager, during);
	const start = host.requests.length;
	await host.work("epsilon", 4);
	await host.ask("and now?");
	const requests = host.requests.slice(start);
	expect(requests).toHaveLength(6);
	expect(requests.every((request) => request.some(isFold))).toBe(true);
	expect(counts).toEqual({
		getBranch: 0,
		buildSessionProjection: 0,
		buildContextEntries: 0,
		getEntries: 0,
		getTree: 0,
	});
	expect(host.errors).toEqual([]);
});

test("a commit that falls due between a turn and the next request is made at that request", async () => {
	await using sandbox = new Sandbox();
	const started = Date.now();
	let jump = 0;
	let jumps = false;
	const clock = vi
		.spyOn(Date, "now")
		.mockImplementation(() => started + Math.trunc(performance.now()) + jump);
	try {
		const idle = (pi: ExtensionAPI) => {
			pi.on("turn_end", () => {
				if (jumps) jump += 3_600_000;
				jumps = false;
			});
		};
		const settings = { ...QUICK_SETTINGS, policy: "calm" as const };
		const host = await sandbox.create({ settings, after: [idle] });
		for (let n = 0; n < 8; n++) await host.work(`topic-${n}`, 3, 3_000);
		const start = host.requests.length;
		const call = (page: string) => () =>
			fauxAssistantMessage(fauxToolCall("fetch", { page, chars: 600 }), { stopReason: "toolUse" });
		const goesCold = () => {
			jumps = true;
			return call("two")();
		};
		await host.play("go on", [call("one"), goesCold, call("three"), () => fauxAssistantMessage("done")]);
		expect(host.errors).toEqual([]);
		const folds = host.requests.slice(start).map((request) => request.some(isFold));
		expect(folds).toEqual([false, false, true, true]);
	} finally {
		clock.mockRestore();
	}
});
