import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
	chmodSync,
	constants,
	copyFileSync,
	linkSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Proof } from "../../../projections/memory/record.ts";
import { makeDirectory } from "../../store/make-directory.ts";
import type { Seal, SealedEvent, Sealer } from "../../store/seal.ts";
import { KeyringError } from "./keyring-error.ts";

const SECRET_BYTES = 32;
const ID_BYTES = 8;

/** A key as it lies in the file: its id and its secret, in hexadecimal, and when it was made. */
interface StoredKey {
	readonly id: string;
	readonly secret: string;
	/** ms since the epoch */
	readonly createdAt: number;
}

/** Where the keyring lies: in Pi's own folder, never below the home of the stores, which a repository's environment may set. */
export function keyringPath(agentDirectory: string): string {
	return join(agentDirectory, "palimpsest-keyring.json");
}

/** The keys that prove who wrote what is remembered. The last one signs, all of them verify. */
export class Keyring implements Sealer {
	readonly #path: string;
	#keys: readonly StoredKey[] = [];
	/** what the file was when the keys were read */
	#stamp: string | undefined;
	#wasExposed = false;

	private constructor(path: string) {
		this.#path = path;
	}

	/**
	 * The keyring at a path, as it lies there; nothing is made where there is none. Others may not read it: a mode that lets
	 * them is put right. Throws a {@link KeyringError}.
	 */
	static open(path: string): Keyring {
		const keyring = new Keyring(path);
		keyring.#follow();
		return keyring;
	}

	/** Whether others could read it when it was read here; that was put right. */
	get wasExposed(): boolean {
		return this.#wasExposed;
	}

	/** Number of keys. */
	get size(): number {
		return this.#keys.length;
	}

	/** Signs with the newest key, which is made first where there is none. Throws a {@link KeyringError}. */
	seal(stream: string, stored: Uint8Array): Seal {
		this.#follow();
		const key = this.#keys.at(-1) ?? this.#begin();
		return { key: key.id, tag: tagOf(key, stream, stored) };
	}

	/** What can be said of an event by its seal. Throws a {@link KeyringError} where a key it does not know is looked for. */
	check(stream: string, { stored, seal }: SealedEvent): Proof {
		const key = seal && (this.#key(seal.key) ?? (this.#follow() ? this.#key(seal.key) : undefined));
		if (!seal || !key) return "unverified";
		const tag = tagOf(key, stream, stored);
		return tag.length === seal.tag.length && timingSafeEqual(tag, seal.tag) ? "verified" : "forged";
	}

	/** Adds a key that signs from now on; those before it go on verifying. Gives its id. Throws a {@link KeyringError}. */
	rotate(now: number): string {
		const key = newKey(now);
		writeKeys(this.#path, [...readKeys(this.#path), key], "replace");
		this.#follow();
		return key.id;
	}

	#key(id: string): StoredKey | undefined {
		return this.#keys.find((key) => key.id === id);
	}

	/** Reads the keys again where another process, or we, may have added one: where the file is another. Whether it is. */
	#follow(): boolean {
		const stamp = stampOf(this.#path);
		if (stamp === this.#stamp) return false;
		this.#keys = readKeys(this.#path, () => {
			this.#wasExposed = true;
		});
		this.#stamp = stamp;
		return true;
	}

	#begin(): StoredKey {
		writeKeys(this.#path, [newKey(Date.now())], "begin");
		this.#follow();
		const key = this.#keys.at(-1);
		if (!key) throw new KeyringError("KEYRING_DAMAGED", `${this.#path} holds no key`);
		return key;
	}
}

/** What changes whenever the file is another. */
function stampOf(path: string): string {
	try {
		const file = statSync(path, { bigint: true, throwIfNoEntry: false });
		return file ? `${file.ino} ${file.mtimeNs} ${file.size}` : "";
	} catch (cause) {
		throw refused(path, cause);
	}
}

function newKey(createdAt: number): StoredKey {
	return {
		id: randomBytes(ID_BYTES).toString("hex"),
		secret: randomBytes(SECRET_BYTES).toString("hex"),
		createdAt,
	};
}

function tagOf({ secret }: StoredKey, stream: string, stored: Uint8Array): Buffer {
	const name = Buffer.from(stream);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(name.length);
	return createHmac("sha256", Buffer.from(secret, "hex")).update(length).update(name).update(stored).digest();
}

function readKeys(path: string, onExposed?: () => void): readonly StoredKey[] {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
		if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) {
			chmodSync(path, 0o600);
			onExposed?.();
		}
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw refused(path, cause);
	}
	const keys = parsed(text)?.keys;
	if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isKey))
		throw new KeyringError("KEYRING_DAMAGED", `${path} is not a keyring; move it away to begin a new one`);
	return keys;
}

function parsed(text: string): { readonly keys?: unknown } | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isKey(value: unknown): value is StoredKey {
	const { id, secret } = (value ?? {}) as Partial<StoredKey>;
	return /^[0-9a-f]{16}$/.test(String(id)) && /^[0-9a-f]{64}$/.test(String(secret));
}

/** Writes a whole new file beside it and puts that in its place; `begin` leaves one that another process was quicker with. */
function writeKeys(path: string, keys: readonly StoredKey[], how: "begin" | "replace"): void {
	const fresh = `${path}.${randomBytes(6).toString("hex")}`;
	try {
		makeDirectory(dirname(path));
		writeFileSync(fresh, `${JSON.stringify({ v: 1, keys }, undefined, "\t")}\n`, {
			mode: 0o600,
			flush: true,
		});
		if (how === "replace") renameSync(fresh, path);
		else putWhereNoneIs(fresh, path);
	} catch (cause) {
		if (how === "begin" && (cause as NodeJS.ErrnoException).code === "EEXIST") return;
		throw refused(path, cause);
	} finally {
		rmSync(fresh, { force: true });
	}
}

/** At once and whole, where the file system has links. */
function putWhereNoneIs(fresh: string, path: string): void {
	try {
		linkSync(fresh, path);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause;
		copyFileSync(fresh, path, constants.COPYFILE_EXCL);
	}
}

function refused(path: string, cause: unknown): KeyringError {
	const why = cause instanceof Error ? cause.message : String(cause);
	return new KeyringError("KEYRING_UNAVAILABLE", `${path} cannot be used: ${why}`, { cause });
}
