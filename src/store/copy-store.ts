import { constants, existsSync } from "node:fs";
import { chmod, copyFile, link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "./errors.ts";
import { parseManifest } from "./manifest.ts";
import { levelDirectory, openDatabase } from "./open-store.ts";
import { unusable } from "./system-refusal.ts";
import { verifyKeyValue } from "./verify.ts";
import { witnessPath } from "./witness.ts";

const ATTEMPTS = 10;

/** A store to copy, and where to. */
export interface CopyOptions {
	/** the store, which may be open and written to */
	readonly directory: string;
	/** where the copy goes; must not exist. Tables are hard links where the file system allows: do not write to them */
	readonly to: string;
	/** whether the copy's chains and heads are verified; `false` for who verifies them while reading. True by default */
	readonly verify?: boolean;
}

/**
 * Takes a copy of a store that is open elsewhere: the witness, `CURRENT`, the manifest it names as far as it was
 * written, the tables that names, and the logs last. Each was complete before the next was looked at, so what the copy
 * holds was once the whole store; a file that has gone meanwhile means a fresh start, at most ten times. The copy's
 * chains and heads are verified before this resolves; open it with `readOnly`. Throws `STORE_COPY_FAILED`, `STORE_UNAVAILABLE`, and
 * `STORE_NOT_FOUND` where there is no store, a `TypeError` where something stands in the copy's place.
 */
export async function copyOpenStore({ directory, to, verify = true }: CopyOptions): Promise<void> {
	if (!existsSync(levelDirectory(directory)))
		throw new StoreError("STORE_NOT_FOUND", `no store in ${directory}`);
	if (existsSync(to)) throw new TypeError(`${to} exists already`);
	let last: unknown;
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		try {
			await mkdir(levelDirectory(to), { recursive: true });
			await takeCopy(directory, to);
			if (verify) await assertWhole(to);
			return;
		} catch (error) {
			last = error;
			await rm(to, { recursive: true, force: true });
			// trying again changes nothing where the system refuses
			const refused = unusable(`${directory} cannot be copied`, error);
			if (refused.code === "STORE_UNAVAILABLE") throw refused;
		}
	}
	const why = last instanceof Error ? last.message : String(last);
	throw new StoreError(
		"STORE_COPY_FAILED",
		`no consistent copy of ${directory} in ${ATTEMPTS} attempts: ${why}`,
		{ cause: last },
	);
}

/**
 * Copies the files of a store as they lie, sound or not: for one that cannot be opened where it is and that nobody
 * writes to. Throws what the system says.
 */
export async function copyFiles({ directory, to }: CopyOptions): Promise<void> {
	const [from, into] = [levelDirectory(directory), levelDirectory(to)];
	await mkdir(into, { recursive: true });
	if (existsSync(witnessPath(directory))) await copyWritable(witnessPath(directory), witnessPath(to));
	for (const file of await readdir(from)) {
		if (file !== "LOCK") await copyWritable(join(from, file), join(into, file));
	}
}

/** A copy takes its original's permissions, and what LevelDB is to open it must be able to write. */
async function copyWritable(from: string, to: string): Promise<void> {
	await copyFile(from, to, constants.COPYFILE_FICLONE);
	await chmod(to, 0o600);
}

async function takeCopy(directory: string, to: string): Promise<void> {
	const [from, into] = [levelDirectory(directory), levelDirectory(to)];
	if (existsSync(witnessPath(directory))) await copyWritable(witnessPath(directory), witnessPath(to));
	const current = await readFile(join(from, "CURRENT"), "utf8");
	const manifestName = current.trimEnd();
	const manifest = await readFile(join(from, manifestName));
	const { tables, log, length } = parseManifest(manifest);
	await writeFile(join(into, "CURRENT"), current);
	// only as far as it was read: what was added since names tables this copy will not have
	await writeFile(join(into, manifestName), manifest.subarray(0, length));
	for (const number of tables) await linkTable(from, into, `${padded(number)}.ldb`);
	const logs = (await readdir(from))
		.filter((file) => file.endsWith(".log") && Number.parseInt(file, 10) >= log)
		.sort();
	// LevelDB drops a log once its events are in a table, which only a later manifest names
	if (logs[0] !== `${padded(log)}.log`) throw new StoreError("STORE_COPY_FAILED", `log ${log} has gone`);
	for (const file of logs) await copyWritable(join(from, file), join(into, file));
}

async function linkTable(from: string, into: string, file: string): Promise<void> {
	await link(join(from, file), join(into, file)).catch((error: NodeJS.ErrnoException) => {
		// another device, or a file system without hard links
		if (error.code === "ENOENT") throw error;
		return copyFile(join(from, file), join(into, file), constants.COPYFILE_FICLONE);
	});
}

function padded(number: number): string {
	return String(number).padStart(6, "0");
}

async function assertWhole(directory: string): Promise<void> {
	const kv = await openDatabase(directory, false);
	try {
		const { damage } = await verifyKeyValue(kv, directory);
		const [first] = damage.filter(({ part }) => part !== "checkpoint");
		if (first) throw new StoreError("STORE_DAMAGED", first.what);
	} finally {
		await kv.close();
	}
}
