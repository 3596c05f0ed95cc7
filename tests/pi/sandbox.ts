import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type FauxProviderHandle,
	fauxAssistantMessage,
	fauxProvider,
	fauxToolCall,
} from "@earendil-works/pi-ai";
import {
	type AgentSession,
	type AgentSessionRuntime,
	type CreateAgentSessionRuntimeFactory,
	createAgentSessionFromServices,
	createAgentSessionRuntime,
	createAgentSessionServices,
	type ExtensionAPI,
	type ExtensionFactory,
	ModelRuntime,
	SessionManager,
	SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import type { Asked, Step } from "./asked.ts";
import { actionsIn } from "./command-actions.ts";
import { screensOn } from "./screens.ts";
import { workbench } from "./workbench.ts";

/** Small cuts, groups of three, a short raw tail: a session of a few prompts folds into both cuts and groups. */
export const QUICK_SETTINGS: Settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 2_000,
	consolidateAfter: 3,
	floorTokens: 1_500,
};

/** A message as it reached the provider, as JSON. */
export type Sent = readonly string[];

type FauxModels = NonNullable<NonNullable<Parameters<typeof fauxProvider>[0]>["models"]>;

/** Models that bill for tokens, with a small window each: a session of some 25 turns fills the first. */
export const BILLED: FauxModels = ["faux-1", "faux-2"].map((id, n) => ({
	id,
	contextWindow: 40_000 - 10_000 * n,
	maxTokens: 4_000,
	cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
}));

/** What a sandboxed host is given beside the engine. */
export interface HostOptions {
	readonly settings?: Settings;
	/** extensions loaded before ours */
	readonly before?: readonly ExtensionFactory[];
	/** extensions loaded after ours */
	readonly after?: readonly ExtensionFactory[];
	/** loaded instead of the sources' own registration */
	readonly engine?: (pi: ExtensionAPI) => unknown;
	/** the models there are; the first answers at first */
	readonly models?: FauxModels;
	/** tools the model has; `fetch` unless given */
	readonly tools?: readonly string[];
	/** whether the host has a terminal, on which extensions may put screens of their own */
	readonly tui?: boolean;
	/** whether the host can show and ask nothing at all, as `pi -p` */
	readonly prints?: boolean;
	/** how the host compacts by itself; not at all unless given */
	readonly compaction?: { readonly reserveTokens: number; readonly keepRecentTokens: number };
}

/** A real host in a directory of its own, answered by a scripted model. */
export class Sandbox {
	readonly dir = mkdtempSync(join(tmpdir(), "palimpsest-pi-"));
	readonly sessions = join(this.dir, "sessions");
	readonly home = join(this.dir, "home");
	readonly #hosts: Host[] = [];

	constructor() {
		process.env.PALIMPSEST_HOME = this.home;
		process.env.PI_CODING_AGENT_DIR = this.dir;
	}

	/** A host on a new session in a file. */
	create(options: HostOptions = {}): Promise<Host> {
		return this.host(SessionManager.create(this.dir, this.sessions), options);
	}

	/** A host on a session in a file. */
	open(file: string, options: HostOptions = {}): Promise<Host> {
		return this.host(SessionManager.open(file, this.sessions), options);
	}

	async host(sessionManager: SessionManager, options: HostOptions = {}): Promise<Host> {
		const host = await Host.open(this.dir, sessionManager, options);
		this.#hosts.push(host);
		return host;
	}

	/** Names of the session stores there are. */
	stores(): string[] {
		const directory = join(this.home, "sessions");
		return existsSync(directory) ? readdirSync(directory).sort() : [];
	}

	async [Symbol.asyncDispose](): Promise<void> {
		for (const host of this.#hosts) await host.quit();
		rmSync(this.dir, { recursive: true, force: true });
	}
}

/** One running host. */
export class Host {
	/** what the extension said, in order */
	readonly said: string[] = [];
	/** the extension's line in the footer; `undefined` while there is none */
	status: string | undefined;
	/** the screen an extension has put up; `undefined` while there is none */
	screen: Component | undefined;
	/** what the user was asked by a dialog, in order */
	readonly questions: string[] = [];
	/** what the user says to it */
	answer = true;
	/** errors the host reported of extensions */
	readonly errors: string[] = [];
	/** every request, in order */
	readonly requests: Sent[] = [];
	/** the same requests, each with what the session was then */
	readonly asked: Asked[] = [];
	readonly #faux: FauxProviderHandle;
	readonly #runtime: AgentSessionRuntime;
	readonly #mode: "tui" | "rpc" | "print";
	#down = false;

	private constructor(faux: FauxProviderHandle, runtime: AgentSessionRuntime, { tui, prints }: HostOptions) {
		this.#faux = faux;
		this.#runtime = runtime;
		this.#mode = tui ? "tui" : prints ? "print" : "rpc";
	}

	static async open(dir: string, sessionManager: SessionManager, options: HostOptions): Promise<Host> {
		const { models = [{ id: "faux-1", contextWindow: 200_000, maxTokens: 8_000 }], compaction } = options;
		const faux = fauxProvider({ models: [...models] });
		const modelRuntime = await ModelRuntime.create({
			authPath: join(dir, "auth.json"),
			modelsPath: join(dir, "models.json"),
		});
		modelRuntime.registerNativeProvider(faux.provider);
		const { settings = QUICK_SETTINGS, before = [], after = [] } = options;
		const register = options.engine ?? ((pi: ExtensionAPI) => registerEngine(pi, () => settings));
		const engine = async (pi: ExtensionAPI) => {
			await register(pi);
		};
		const createRuntime: CreateAgentSessionRuntimeFactory = async ({
			cwd,
			agentDir,
			sessionManager,
			sessionStartEvent,
		}) => {
			const services = await createAgentSessionServices({
				cwd,
				agentDir,
				modelRuntime,
				settingsManager: SettingsManager.inMemory({
					compaction: {
						enabled: false,
						keepRecentTokens: 500,
						...(compaction && { ...compaction, enabled: true }),
					},
					retry: { baseDelayMs: 1 },
				}),
				resourceLoaderOptions: {
					extensionFactories: [workbench, ...before, engine, ...after],
					noContextFiles: true,
					noSkills: true,
					noPromptTemplates: true,
				},
			});
			const created = await createAgentSessionFromServices({
				services,
				sessionManager,
				...(sessionStartEvent && { sessionStartEvent }),
				model: faux.getModel(),
				tools: [...(options.tools ?? ["fetch"])],
			});
			return { ...created, services, diagnostics: services.diagnostics };
		};
		const runtime = await createAgentSessionRuntime(createRuntime, {
			cwd: dir,
			agentDir: dir,
			sessionManager,
		});
		const host = new Host(faux, runtime, options);
		runtime.setRebindSession(() => host.#bind());
		await host.#bind();
		return host;
	}

	get session(): AgentSession {
		return this.#runtime.session;
	}

	get runtime(): AgentSessionRuntime {
		return this.#runtime;
	}

	get file(): string {
		return this.session.sessionFile ?? "";
	}

	/** Ids of the path to the leaf, by what they are. */
	path(type: string): string[] {
		return this.session.sessionManager
			.getBranch()
			.filter((entry) => entry.type === type)
			.map(({ id }) => id);
	}

	/** The lines of the session file behind the header. */
	lines(): string[] {
		return readFileSync(this.file, "utf8").trimEnd().split("\n").slice(1);
	}

	/** Sends a prompt, answered at once; returns the messages of the request. */
	async ask(prompt: string, answer = "noted"): Promise<Sent> {
		return this.play(prompt, [() => fauxAssistantMessage(answer)]);
	}

	/** Sends a prompt on which the model fetches pages and reports; returns the messages of the last request. */
	async work(topic: string, pages = 3, chars = 1_500): Promise<Sent> {
		const steps = Array.from(
			{ length: pages },
			(_, page) => () =>
				fauxAssistantMessage(fauxToolCall("fetch", { page: `${topic}/page-${page}.ts`, chars }), {
					stopReason: "toolUse",
				}),
		);
		return this.play(`Read about ${topic}`, [...steps, () => fauxAssistantMessage(`Read all of ${topic}.`)]);
	}

	/** Sends a prompt answered by a script; returns the messages of the last request. */
	async play(prompt: string, script: readonly Step[]): Promise<Sent> {
		this.script(script);
		await this.session.prompt(prompt);
		const sent = this.requests.at(-1);
		if (!sent) throw new Error("no request was sent");
		return sent;
	}

	/** Has requests to come answered by a script. */
	script(steps: readonly Step[]): void {
		this.#faux.setResponses(
			steps.map((step) => (context) => {
				const sent = context.messages.map((message) => JSON.stringify(message));
				this.requests.push(sent);
				this.asked.push({ sent, ...this.#place() });
				return step();
			}),
		);
	}

	/** Lets another of the models answer from now on. */
	async switchTo(id: string): Promise<void> {
		const model = this.#faux.getModel(id);
		if (model) await this.session.setModel(model);
	}

	/** Runs `/fold`; returns what was said. */
	async fold(): Promise<string> {
		await this.session.prompt("/fold");
		return this.said.at(-1) ?? "";
	}

	/** Leaves the session as the host does when it ends. */
	async quit(): Promise<void> {
		if (this.#down) return;
		this.#down = true;
		await this.#runtime.dispose();
	}

	/** Drops the session without telling its extensions, as programs do that use the host as a library. */
	drop(): void {
		this.#down = true;
		this.session.dispose();
	}

	#place(): Asked {
		const { sessionManager, sessionId: session, sessionFile: file } = this.session;
		return { session, file, path: sessionManager.getBranch() };
	}

	async #bind(): Promise<void> {
		const { session } = this.#runtime;
		session.subscribe((event) => {
			if (event.type !== "message_end" || event.message.role !== "assistant") return;
			const last = this.asked.at(-1);
			if (last && !last.usage) last.usage = event.message.usage;
			else this.asked.push({ ...this.#place(), usage: event.message.usage });
		});
		const notify = (text: string) => void this.said.push(text);
		const setStatus = (_key: string, text: string | undefined) => {
			this.status = text;
		};
		const confirm = async (title: string, message: string) => {
			this.questions.push(`${title}\n${message}`);
			return this.answer;
		};
		const select = (title: string, options: readonly string[]) => {
			this.questions.push(title);
			return Promise.resolve(options.find((option) => option === (this.answer ? "Yes" : "No")));
		};
		await session.bindExtensions({
			mode: this.#mode,
			...(this.#mode !== "print" && {
				uiContext: { notify, setStatus, confirm, select, custom: screensOn(this) } as never,
			}),
			commandContextActions: actionsIn(this.#runtime),
			onError: ({ event, error }) => void this.errors.push(`${event}: ${error}`),
		});
	}
}
