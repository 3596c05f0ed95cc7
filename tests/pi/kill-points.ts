import { appendFileSync } from "node:fs";
import process from "node:process";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { LiveLog } from "../../src/adapters/pi/live-log.ts";
import { Log } from "../../src/store/log.ts";

const HOOKS = [
	"session_start",
	"input",
	"before_agent_start",
	"agent_start",
	"turn_start",
	"context",
	"context_with_system",
	"message_start",
	"message_end",
	"tool_execution_start",
	"tool_call",
	"tool_result",
	"tool_execution_end",
	"turn_end",
	"agent_end",
	"agent_before_settle",
	"agent_settled",
	"session_shutdown",
] as const;

/** Places a process passes in its life; at one of them it is killed. */
export class KillPoints {
	readonly #file: string;
	readonly #last: number;
	#passed = 0;

	/** Names of the places are written to `file`, one a line; the process does not live to pass more than `last`. */
	constructor(file: string, last: number) {
		this.#file = file;
		this.#last = last;
	}

	/** Passes a place, or not. */
	pass(name: string): void {
		appendFileSync(this.#file, `${name}\n`);
		if (++this.#passed === this.#last) process.kill(process.pid, "SIGKILL");
	}

	/** An extension that passes a place in every hook. */
	hooks(side: "before" | "behind"): (pi: ExtensionAPI) => void {
		return (pi) => {
			for (const hook of HOOKS) pi.on(hook as "turn_end", () => this.pass(`${hook}, ${side} ours`));
		};
	}

	/** A host that passes places around each entry of ours. */
	around(pi: ExtensionAPI): ExtensionAPI {
		const appendEntry: ExtensionAPI["appendEntry"] = (type, data) => {
			this.pass("node, before it is appended");
			pi.appendEntry(type, data);
			this.pass("node, appended");
		};
		return new Proxy(pi, {
			get: (target, key) => (key === "appendEntry" ? appendEntry : Reflect.get(target, key)),
		});
	}

	/** Passes places where the session file and the store are written; `acknowledged` is told of events that are stored. */
	watchWriting(acknowledged: (version: number, hash: string) => void): void {
		const pass = (name: string) => this.pass(name);
		const { appendMessage } = SessionManager.prototype;
		SessionManager.prototype.appendMessage = function (message) {
			pass(`${message.role}, before it is persisted`);
			const id = appendMessage.call(this, message);
			pass(`${message.role}, persisted`);
			return id;
		};
		const { append } = Log.prototype;
		Log.prototype.append = async function (stream, events, version, options) {
			const what = `${events[0]?.event.type ?? "nothing"}${options?.sync ? ", durably" : ""}`;
			pass(`${what}, before it is stored`);
			const storing = append.call(this, stream, events, version, options);
			pass(`${what}, being stored`);
			const head = await storing;
			acknowledged(head.version, head.hash);
			pass(`${what}, stored`);
			return head;
		};
		const { keep } = LiveLog.prototype;
		LiveLog.prototype.keep = async function (contents) {
			const keeping = keep.call(this, contents);
			pass("a piece of an output, being kept");
			await keeping;
			pass("a piece of an output, kept");
		};
	}
}
