import { expect, test } from "vitest";
import { WITHHELD, withoutSecrets } from "../../projections/secrets.ts";
import { evidenceOf } from "../../projections/work-summary/gather.ts";
import { renderWorkSummary } from "../../projections/work-summary/render.ts";
import { ran, said, user } from "../briefs/transcripts.ts";

/** Made up, and put together here so that no scanner takes them for real. */
const SECRETS = {
	"private key": `-----BEGIN ${"RSA PRIVATE"} KEY-----\nMIIEpAIBAAKCAQEA7\nabcdef\n-----END RSA PRIVATE KEY-----`,
	"cloud key": `AKIA${"IOSFODNN7EXAMPLE"}`,
	"forge token": `ghp_${"x7Gk29dLmQ0rT5vW8yZ1aB3cD4eF6gH7iJ8k"}`,
	"model key": `sk-${"proj-Ab12Cd34Ef56Gh78"}`,
	"chat token": `xoxb-${"123456789012-abcdefGHIJ"}`,
	jwt: `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"dBjftJeZ4CVPmB92K27uhbUJU1p1r"}`,
	password: "password: hunter2",
	quoted: `"api_key": "not so long"`,
	"in a name": "DEPLOY_TOKEN=abc",
	"an option": "--password hunter2",
	German: "Passwort: geheim1",
	Chinese: "密码：hunter2",
	url: "https://ann:hunter2@example.org/x",
	random: "Zx81kQ0pLm39VbT7yR2wNc5D",
	digest: "d41d8cd98f00b204e9800998ecf8427e",
};
const PARTS = [
	"MIIE",
	"IOSFODNN7",
	"x7Gk29",
	"Ab12Cd34",
	"123456789012",
	"hbGci",
	"hunter2",
	"not so long",
	"abc",
	"geheim1",
	"Zx81k",
	"d41d8",
];

test.each(Object.entries(SECRETS))("a %s is taken out, and the words around it stay", (_, secret) => {
	const left = withoutSecrets(`before ${secret} after`);
	for (const part of PARTS) expect(left).not.toContain(part);
	expect(left).toMatch(/^before .*after$/s);
	expect(left).toContain(WITHHELD);
});

test.each([
	"src/adapters/sessions/pi/entry-reader.ts",
	"parseUtf8StringFromBuffer2",
	"pi-v3-dialect-orphan-results-2024-01-02",
	"550e8400-e29b-41d4-a716-446655440000",
	"2026-01-09T00-53-29-825Z_79902360-aaaa-4bbb-8ccc-1234567890ab.jsonl",
	"max_tokens: 4096",
	"https://example.org/a@b",
	"the token bucket is empty",
	"git push origin 1234567",
])("%s is no secret", (text) => {
	expect(withoutSecrets(text)).toBe(text);
});

test("no evidence quotes a secret, wherever it stood, also where an excerpt cuts through it", () => {
	for (const secret of Object.values(SECRETS)) {
		const padded = `${"word ".repeat(44)}and ${secret}`;
		const entries = [
			user(`Always deploy with ${secret} as it is`),
			user(padded),
			...ran("bash", { command: `deploy ${secret}` }, `Error: refused ${secret}`, true),
			...ran("bash", { command: "log in" }, secret.replace(/: |：/, ":\n"), true),
			...ran("write", { path: `keys/${secret}.txt`, content: secret }, "done"),
			said(`Next steps: rotate ${secret} soon`),
		];
		const evidence = JSON.stringify(evidenceOf(entries));
		const summary = renderWorkSummary(evidenceOf(entries)) ?? "";
		for (const part of PARTS) expect(evidence + summary).not.toContain(part);
	}
});
