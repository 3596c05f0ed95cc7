/** What the server answered instead of what was asked. */
export class ApiError extends Error {
	/** HTTP status; 0 where no server answered */
	readonly status: number;
	readonly code: string;
	/** what came beside the error */
	readonly more: object;

	constructor(status: number, code: string, message: string, more: object = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.more = more;
	}
}

/** Characters of answers that are kept at most: those of some hundred windows of a usual session. */
const KEPT = 24_000_000;

const answers = new Map<string, { readonly answer: unknown; readonly size: number }>();
let kept = 0;
let token: string | undefined;
let onTrouble: (error: ApiError) => void = () => {};

/** Says which token goes along, and who is told when the server is gone or does not know us. */
export function connect(options: { token: string | undefined; onTrouble: (error: ApiError) => void }): void {
	({ token, onTrouble } = options);
}

/** A question on its way, and how many still wait for its answer. */
interface Flight {
	readonly answer: Promise<unknown>;
	readonly control: AbortController;
	waiting: number;
}

const flights = new Map<string, Flight>();
/** counts how often answers were forgotten: one asked for before is not kept */
let epoch = 0;

/**
 * Asks the server: `path` begins with `/api/`. What was answered before is answered again at once, and what is being
 * asked is not asked twice. Throws `ApiError`, and what `signal` was aborted with.
 */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
	const there = answers.get(path);
	if (there) return there.answer as T;
	const flight = flights.get(path) ?? depart(path);
	flight.waiting += 1;
	const leave = () => {
		flight.waiting -= 1;
		if (flight.waiting === 0) flight.control.abort();
	};
	signal?.addEventListener("abort", leave, { once: true });
	try {
		return (await flight.answer) as T;
	} finally {
		signal?.removeEventListener("abort", leave);
	}
}

function depart(path: string): Flight {
	const control = new AbortController();
	const began = epoch;
	const answer = textOf(path, { signal: control.signal })
		.then((text) => {
			const answered: unknown = JSON.parse(text);
			if (began === epoch) keep(path, { answer: answered, size: text.length });
			return answered;
		})
		.finally(() => {
			if (flights.get(path) === flight) flights.delete(path);
		});
	const flight: Flight = { answer, control, waiting: 0 };
	flights.set(path, flight);
	control.signal.addEventListener("abort", () => flights.delete(path));
	return flight;
}

function keep(path: string, answer: { readonly answer: unknown; readonly size: number }): void {
	drop(path);
	answers.set(path, answer);
	kept += answer.size;
	for (const oldest of answers.keys()) {
		if (kept <= KEPT || oldest === path) break;
		drop(oldest);
	}
}

function drop(path: string): void {
	kept -= answers.get(path)?.size ?? 0;
	answers.delete(path);
}

/** An answer that is there already, without asking. */
export function known<T>(path: string): T | undefined {
	return answers.get(path)?.answer as T | undefined;
}

/** Asks the server even for what was answered before, and does not keep the answer. Throws as `ask`. */
export async function askAnew<T>(path: string, options: RequestInit = {}): Promise<T> {
	return JSON.parse(await textOf(path, options)) as T;
}

async function textOf(path: string, options: RequestInit): Promise<string> {
	const headers = new Headers(options.headers);
	if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
	let response: Response;
	let text: string;
	try {
		response = await fetch(path, { ...options, headers, cache: "no-store" });
		text = await response.text();
	} catch (cause) {
		if (options.signal?.aborted) throw cause;
		throw told(new ApiError(0, "PAGE_SERVER_GONE", "The server does not answer."));
	}
	if (response.ok) return text;
	throw told(refusalIn(text, response.status));
}

function refusalIn(text: string, status: number): ApiError {
	try {
		const more = JSON.parse(text) as { readonly error: { readonly code: string; readonly message: string } };
		return new ApiError(status, more.error.code, more.error.message, more);
	} catch {
		return new ApiError(status, "PAGE_ANSWER_UNCLEAR", `The server answered ${status}.`);
	}
}

/** Sends something that changes the session. Throws as `ask`. */
export function send<T>(path: string, body: object): Promise<T> {
	return askAnew<T>(path, {
		method: "POST",
		body: JSON.stringify(body),
		headers: { "content-type": "application/json" },
	});
}

/**
 * Drops the answers that may be others now that the log has grown. The window of a request never changes, except that of
 * the newest, of which the price was not known.
 */
export function forget(newest: number): void {
	epoch += 1;
	flights.clear();
	for (const path of answers.keys()) {
		const [, about, number] = /^\/api\/(window|item)\/(\d+)/.exec(path) ?? [];
		if (about === undefined || Number(number) >= newest) drop(path);
	}
}

/** Whether the server refused because it does not know the token. */
export function isStranger({ code }: ApiError): boolean {
	return code === "PAGE_FORBIDDEN";
}

function told(error: ApiError): ApiError {
	if (error.status === 0 || isStranger(error)) onTrouble(error);
	return error;
}
