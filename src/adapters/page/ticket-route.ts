import { Hono } from "hono";
import { PageError } from "./page-error.ts";
import type { Tickets } from "./tickets.ts";

/** `POST /ticket` `{ ticket }`: gives the token, `{ token }`, for a ticket that is good. */
export function ticketRoute({ token, tickets }: { token: string; tickets: Tickets }): Hono {
	const routes = new Hono();
	routes.post("/ticket", async (context) => {
		const body: unknown = await context.req.json().catch(() => undefined);
		const { ticket } = (body ?? {}) as { readonly ticket?: unknown };
		if (typeof ticket === "string" && tickets.redeem(ticket)) return context.json({ token });
		throw new PageError("PAGE_TICKET", "the ticket is unknown, was used before, or came too late");
	});
	return routes;
}
