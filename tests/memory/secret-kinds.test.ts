import { describe, expect, test } from "vitest";
import { secretKindIn, withoutSecrets } from "../../projections/secrets.ts";

const random = "q7Zx81LmP0aRt53Vb9Ky2Wd6";

describe("what may be a secret is named by its kind, never by its value", () => {
	test.each([
		["-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----", "a private key"],
		["postgres://ann:pw@db.example.org/x", "a URL with a user name or a password in it"],
		[`gh${"p_"}${random}`, "an access token"],
		[`sk-${random}`, "an API key"],
		[`Authorization: Bearer ${random}`, "the value of an authorization header"],
		["deploy --token abcd1234", "an option that gives a password, token or key"],
		["密码：swordfish", "a value that is named as a password, token or key"],
		[`keep ${random} safe`, "a long run of letters and digits that looks random"],
	])("%#: %s", (text, kind) => {
		expect(secretKindIn(text)).toBe(kind);
		expect(withoutSecrets(text)).not.toBe(text);
	});
});

describe("plain words are no secret", () => {
	test.each([
		"Never use basic authentication",
		"Set npm_config_registry in CI",
		"Rotate the tokens each month",
		"max tokens: 4000",
		"Released on 2024-05-06 as v1.2.3",
		"The parser stands in src/adapters/sessions/pi/report.ts",
		"用密码管理器",
	])("%s", (text) => expect(secretKindIn(text)).toBeUndefined());
});
