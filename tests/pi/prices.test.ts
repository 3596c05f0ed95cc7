import { afterEach, expect, test, vi } from "vitest";
import { valuationOfModel } from "../../src/adapters/catalogue.ts";
import type { HostModel } from "../../src/adapters/model-facts.ts";

afterEach(() => vi.unstubAllEnvs());

const cost = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const model = (more: Partial<HostModel> = {}): HostModel => ({
	provider: "anthropic",
	id: "claude",
	api: "anthropic-messages",
	contextWindow: 200_000,
	cost: { ...cost, tiers: [{ inputTokensAbove: 100_000, ...cost, input: 10 }] },
	promptCache: { short: 300 },
	...more,
});

test("long cache retention makes Anthropic's caches live an hour, and writing them cost twice the input", () => {
	vi.stubEnv("PI_CACHE_RETENTION", "long");
	expect(valuationOfModel(model())).toMatchObject({
		input: 5,
		write: 10,
		lifetimeMs: 3_600_000,
		tiers: [{ above: 100_000, input: 10, write: 20 }],
		source: expect.stringMatching(/; long cache retention$/),
	});
});

test("elsewhere it changes a lifetime alone, and only one that is stated", () => {
	vi.stubEnv("PI_CACHE_RETENTION", "long");
	const stated = { api: "openai-responses", promptCache: { short: 300, long: 86_400 } };
	expect(valuationOfModel(model(stated))).toMatchObject({ write: 6.25, lifetimeMs: 86_400_000 });
	expect(valuationOfModel(model({ ...stated, promptCache: { short: 300 } })).lifetimeMs).toBe(300_000);
	const refused = { compat: { supportsLongCacheRetention: false } };
	expect(valuationOfModel(model(refused))).toMatchObject({ write: 6.25, lifetimeMs: 300_000 });
});

test("what a provider takes in one request is known by its interface, where it is stated", () => {
	expect(valuationOfModel(model()).requestBytes).toBe(32_000_000);
	expect(valuationOfModel(model({ api: "bedrock-converse-stream" })).requestBytes).toBe(20_000_000);
	expect(valuationOfModel(model({ api: "openai-completions" }))).not.toHaveProperty("requestBytes");
});

test("unless it is asked for, a cache lives as long as the host's catalogue says", () => {
	vi.stubEnv("PI_CACHE_RETENTION", "short");
	expect(valuationOfModel(model())).toMatchObject({ write: 6.25, lifetimeMs: 300_000 });
});
