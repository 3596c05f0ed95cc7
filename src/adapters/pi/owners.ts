import type { ContextWithSystemEvent, SessionProjection } from "@earendil-works/pi-coding-agent";

/** A message of the host's, as hooks get it. */
export type HostMessage = ContextWithSystemEvent["messages"][number];

/** A message of a request, and the id of the entry it comes from; `undefined` where that cannot be told. */
export interface OwnedMessage {
	readonly message: HostMessage;
	readonly entry: string | undefined;
}

/**
 * Finds the entry behind each message. Messages carry no ids, so the host's own projection is laid beside them: as a
 * rule both are equally long and in one order. Where another extension came first, a message is known by its role,
 * its time and the call it answers, if as many messages as entries bear these; anything else is nobody's.
 */
export function ownersOf(
	messages: readonly HostMessage[],
	projection: Pick<SessionProjection, "entries">,
): OwnedMessage[] {
	const owners = projection.entries.flatMap(({ sourceEntry, messages: shown }) =>
		shown.map((message) => ({ id: sourceEntry.id, key: keyOf(message) })),
	);
	const inStep = owners.length === messages.length;
	if (inStep && messages.every((message, index) => keyOf(message) === owners[index]?.key)) {
		return messages.map((message, index) => ({ message, entry: owners[index]?.id }));
	}
	const ids = Map.groupBy(owners, ({ key }) => key);
	const counts = new Map<string, number>();
	for (const message of messages) counts.set(keyOf(message), (counts.get(keyOf(message)) ?? 0) + 1);
	const met = new Map<string, number>();
	return messages.map((message) => {
		const key = keyOf(message);
		const bearing = ids.get(key);
		const nth = met.get(key) ?? 0;
		met.set(key, nth + 1);
		return { message, entry: bearing?.length === counts.get(key) ? bearing?.[nth]?.id : undefined };
	});
}

function keyOf(message: HostMessage): string {
	const answers = message.role === "toolResult" ? message.toolCallId : "";
	return `${message.role} ${message.timestamp} ${answers}`;
}
