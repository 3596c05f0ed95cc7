import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The checkout the tests run in. */
export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** What stands in a checkout and is no part of what is packed from it. */
const LEFT = new Set(["node_modules", "dist", ".git", "coverage"]);

/** A program's folder with this package installed in it, and nothing of the host. */
export interface Installed {
	/** the copy that was packed, which has the host as the checkout does */
	readonly copy: string;
	/** the program's folder */
	readonly app: string;
	/** the package, as it was unpacked */
	readonly folder: string;
	/** paths of all files packed, `/` between names */
	readonly files: readonly string[];
	/** takes another TypeBox for `@sinclair/typebox`: a folder of the checkout's `node_modules` */
	useTypebox(folder: string): Promise<void>;
	/** runs Node in the program's folder; resolves to what it printed, rejects where it fails */
	node(args: readonly string[], more?: Readonly<Record<string, string>>): Promise<string>;
	/** starts Node there, for what goes on until it is ended */
	start(args: readonly string[]): ChildProcess;
	remove(): Promise<void>;
}

/**
 * Packs a copy of the checkout as `npm publish` would, build and all, and installs it as npm would on a machine
 * without the host: the declared dependencies beside it, and TypeBox 0.34 for the peer. Takes seconds.
 */
export async function install(): Promise<Installed> {
	const root = await realpath(await mkdtemp(join(tmpdir(), "palimpsest-package-")));
	try {
		return await installIn(root);
	} catch (error) {
		await rm(root, { recursive: true, force: true });
		throw error;
	}
}

async function installIn(root: string): Promise<Installed> {
	const copy = join(root, "checkout");
	for (const name of await readdir(CHECKOUT)) {
		if (!LEFT.has(name)) await cp(join(CHECKOUT, name), join(copy, name), { recursive: true });
	}
	await symlink(join(CHECKOUT, "node_modules"), join(copy, "node_modules"));
	const env = {
		...process.env,
		NODE_OPTIONS: "",
		npm_config_update_notifier: "false",
		npm_config_logs_max: "0",
	};
	await run("npm", ["pack", "--offline", "--pack-destination", root], { cwd: copy, env }).catch((error) => {
		throw new Error(`npm pack: ${error.stdout}${error.stderr}`, { cause: error });
	});
	const tarball = (await readdir(root)).find((name) => name.endsWith(".tgz")) as string;

	const app = join(root, "app");
	const modules = join(app, "node_modules");
	const folder = join(modules, "pi-palimpsest");
	await mkdir(folder, { recursive: true });
	await run("tar", ["-xzf", join(root, tarball), "-C", folder, "--strip-components", "1"]);
	const link = async (name: string, from = name) => {
		const at = join(modules, name);
		await mkdir(dirname(at), { recursive: true });
		await rm(at, { force: true });
		await symlink(join(CHECKOUT, "node_modules", from), at);
	};
	const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	for (const name of Object.keys(dependencies)) await link(name);
	await link("@sinclair/typebox", "typebox-0.34");

	const home = join(root, "home");
	const packed = await readdir(folder, { recursive: true, withFileTypes: true });
	const paths = packed.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
	return {
		copy,
		app,
		folder,
		files: paths.map((path) => path.slice(folder.length + 1).replaceAll("\\", "/")),
		useTypebox: (from) => link("@sinclair/typebox", from),
		node: async (args, more) => {
			const { stdout } = await run(process.execPath, args, {
				cwd: app,
				env: { ...env, ...more, PALIMPSEST_HOME: home },
				maxBuffer: 64 * 1024 * 1024,
			});
			return stdout;
		},
		start: (args) =>
			spawn(process.execPath, args, {
				cwd: app,
				env: { ...env, PALIMPSEST_HOME: home },
				stdio: ["ignore", "pipe", "inherit"],
			}),
		remove: () => rm(root, { recursive: true, force: true }),
	};
}
