import { join } from "node:path";
import { fauxProvider, type Model } from "@earendil-works/pi-ai";
import {
	type AgentSession,
	createAgentSession,
	DefaultResourceLoader,
	ModelRuntime,
	SessionManager,
	SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { Checkout } from "./checkout.ts";
import { ScriptedModel, type Turn } from "./scripted-model.ts";

/** A real session of the host in a checkout, answered by a scripted model that bears a catalogue model's name. */
export interface HostSession {
	readonly session: AgentSession;
	/** the session file, complete once `close` has returned */
	readonly file: string;
	/** characters of the latest request's prompt */
	promptCharacters(): number;
	/** Sends one user prompt and plays the turn that answers it. */
	prompt(text: string, turn: Turn): Promise<void>;
	/** Sends a prompt and aborts its first reply without calls, `characters` into the text, as Esc would. */
	abortedPrompt(text: string, turn: Turn, characters: number): Promise<void>;
	close(): void;
}

/** The session's id; any string would do, a UUIDv7 of the recorded day is what the host would have made. */
const SESSION_ID = "019cadd0-3a80-7c51-9a3e-5d2f60b7c418";

/**
 * Opens a session with the host's own tools and no extension. The provider takes the place of the model's own, so
 * replies are recorded under the model's provider, api and id; no request leaves the process. The host's compaction is
 * off: the recording is what other policies are measured on.
 */
export async function openHost(checkout: Checkout, model: Model<string>): Promise<HostSession> {
	const { dir, scratch } = checkout;
	const agentDir = join(scratch, "agent");
	const faux = fauxProvider({
		api: model.api,
		provider: model.provider,
		models: [{ ...model, contextWindow: 10_000_000 }],
		tokenSize: { min: 8, max: 8 }, // the host's random chunk sizes would show in an aborted reply
	});
	const modelRuntime = await ModelRuntime.create({
		authPath: join(agentDir, "auth.json"),
		modelsPath: join(agentDir, "models.json"),
	});
	modelRuntime.registerNativeProvider(faux.provider);
	const settingsManager = SettingsManager.inMemory({
		compaction: { enabled: false },
		retry: { baseDelayMs: 1 },
	});
	const resourceLoader = new DefaultResourceLoader({
		cwd: dir,
		agentDir,
		settingsManager,
		noExtensions: true,
		noContextFiles: true,
		noSkills: true,
		noPromptTemplates: true,
	});
	await resourceLoader.reload();
	const sessionManager = SessionManager.create(dir, join(scratch, "sessions"), { id: SESSION_ID });
	const { session } = await createAgentSession({
		cwd: dir,
		agentDir,
		modelRuntime,
		model: faux.getModel(),
		thinkingLevel: "medium",
		settingsManager,
		sessionManager,
		resourceLoader,
	});
	await session.bindExtensions({ mode: "print" });
	const script = new ScriptedModel(faux);
	const prompt = async (text: string, turn: Turn): Promise<void> => {
		script.begin(turn);
		await session.prompt(text);
		script.check();
	};
	return {
		session,
		file: session.sessionFile ?? join(scratch, "no-session"),
		promptCharacters: () => script.promptCharacters,
		prompt,
		async abortedPrompt(text, turn, characters) {
			const stop = session.subscribe((event) => {
				if (event.type !== "message_update") return;
				const { message } = event;
				if (message.role !== "assistant" || message.content.some((part) => part.type === "toolCall")) return;
				const said = message.content.reduce(
					(n, part) => n + (part.type === "text" ? part.text.length : 0),
					0,
				);
				if (said >= characters) session.agent.abort();
			});
			await prompt(text, turn);
			stop();
		},
		close: () => session.dispose(),
	};
}
