import { expect, test } from "vitest";
import { secretIn, secretInName } from "../../projections/memory/secret-in.ts";

test.each([
	"my password is hunter2",
	"My DB password is swordfish",
	"the password is `swordfish`",
	"DB_PASS=Tr0ub4dor&3 in .env",
	"pw: hunter2",
	"密码是 abc12345",
	"パスワードは abc12345 です",
	"curl -u admin:hunter2 https://x.y",
	"curl https://x.y --user=admin:hunter2",
	"my passphrase is correct horse battery staple",
	"From now on use password hunter2 for the db, always.",
	"Mein Passwort lautet geheim12",
	"Mi contraseña es perro",
])("a password that is told is a secret: %s", (text) => {
	expect(secretIn(text, true)).toBeDefined();
	expect(secretIn(text, false)).toBeDefined();
});

test.each([
	"My password is stored in 1Password",
	"the password is never logged",
	"our password is not checked in",
	"hash the password with bcrypt, never with md5",
	"use password sha256 hashing",
	"the password argon2id rounds are 3",
	"pass: 12, fail: 0",
	"tests pass = 12",
	"pass the key by $DB_PASS=$X",
	"docker run -u 1000:1000 image",
	"curl -u $USER:$PASS https://x.y",
	"密码管理器",
	"the auth token is required",
	"a pin is shown",
	"Passwords are hashed",
	"my pass is complete",
	"pin node20 in CI",
])("talk about passwords is none: %s", (text) => expect(secretIn(text, true)).toBeUndefined());

const SHA1 = "3f786850e387550fdab836ed7e6dc881de23001b";
const SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

test.each([`fixed in commit ${SHA1}`, SHA256, `the image is sha256:${SHA256}`, `pin ${SHA1}`])(
	"a user may name a commit or a checksum, the model may not: %s",
	(text) => {
		expect(secretIn(text, true)).toBeUndefined();
		expect(secretIn(text, false)).toBeDefined();
	},
);

test.each([
	`private key ${SHA256}`,
	`token: ${SHA1}`,
	`the API key is ${SHA1}`,
	`x/${SHA256}${SHA1}`,
	`secret ${SHA256}`,
])("what is named as a key is one, also where it looks like a digest: %s", (text) => {
	expect(secretIn(text, true)).toBeDefined();
});

test("the name of a file may be random, and may tell no password", () => {
	expect(secretInName("secret password=hunter2pass/x.md")).toBeDefined();
	expect(secretInName("dist/q7Zx81LmP0aRt53Vb9Ky2Wd6.js")).toBeUndefined();
	expect(secretInName("src/password/reset2.ts")).toBeUndefined();
});
