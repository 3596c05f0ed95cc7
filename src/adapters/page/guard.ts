import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { sha256Node } from "../../store/hash.ts";
import { PageError } from "./page-error.ts";

/** A secret nobody can guess: 32 random bytes, base64url. */
export function newToken(): string {
	return randomBytes(32).toString("base64url");
}

/**
 * Lets through what a page of ours, or a program on this machine, asks of the server by its own address. A name of
 * another site that leads here (DNS rebinding) is told by `Host`, a page of another site by `Origin` and `Sec-Fetch-Site`.
 * A link from elsewhere may lead to the page itself, which holds nothing before it has the token. Throws `PAGE_HOST`.
 */
export function onlyOwnAddress(port: () => number): MiddlewareHandler {
	return async (context, next) => {
		// browsers leave out the port that addresses have by themselves
		const at = port() === 80 ? "" : `:${port()}`;
		const own = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}${at}`);
		const host = context.req.header("host");
		if (host === undefined || !own.includes(host))
			throw new PageError("PAGE_HOST", "Host is not this page's");
		const origin = context.req.header("origin");
		if (origin !== undefined && origin !== `http://${host}`) {
			throw new PageError("PAGE_HOST", "Origin is not this page's");
		}
		const site = context.req.header("sec-fetch-site");
		if (site !== undefined && site !== "same-origin" && site !== "none" && !isFollowedLink(context.req)) {
			throw new PageError("PAGE_HOST", "the request comes from another site");
		}
		await next();
	};
}

/** Whether a tab goes to the page as a whole: it is framed by nobody, and whoever sent it there learns nothing. */
function isFollowedLink(asked: Context["req"]): boolean {
	const isToPage = asked.method === "GET" && asked.path === "/";
	const [mode, to] = [asked.header("sec-fetch-mode"), asked.header("sec-fetch-dest")];
	return isToPage && mode === "navigate" && to === "document";
}

/** Lets through reading, and what `writes` names. Throws `PAGE_METHOD`. */
export function onlyMethods(writes: readonly string[]): MiddlewareHandler {
	return async (context, next) => {
		const allowed = writes.includes(context.req.path) ? ["POST"] : ["GET", "HEAD"];
		if (!allowed.includes(context.req.method)) {
			context.header("Allow", allowed.join(", "));
			throw new PageError("PAGE_METHOD", `${context.req.path} takes ${allowed.join(" and ")} only`);
		}
		await next();
	};
}

/** Lets through what carries the token as `Authorization: Bearer`. Throws `PAGE_FORBIDDEN`. */
export function onlyWithToken(token: string): MiddlewareHandler {
	const wanted = digestOf(`Bearer ${token}`);
	return async (context, next) => {
		const given = digestOf(context.req.header("authorization") ?? "");
		if (!timingSafeEqual(given, wanted)) {
			throw new PageError("PAGE_FORBIDDEN", "the token is missing, or of another start of the page");
		}
		await next();
	};
}

/** Headers of every answer: nothing is kept, guessed at, framed or handed to another site. */
export function secureHeaders(policy: string): MiddlewareHandler {
	return async (context, next) => {
		await next();
		setSecureHeaders(context, policy);
	};
}

function setSecureHeaders({ res: { headers } }: Context, policy: string): void {
	headers.set("Content-Security-Policy", policy);
	headers.set("X-Content-Type-Options", "nosniff");
	headers.set("Referrer-Policy", "no-referrer");
	headers.set("Cross-Origin-Opener-Policy", "same-origin");
	headers.set("Cross-Origin-Resource-Policy", "same-origin");
	headers.set("X-Frame-Options", "DENY");
	headers.set("Cache-Control", "no-store");
}

/** What a secret is told by: as long whatever was sent, and telling nothing of how much of it was right. */
export function digestOf(text: string): Buffer {
	return Buffer.from(sha256Node(Buffer.from(text)), "hex");
}
