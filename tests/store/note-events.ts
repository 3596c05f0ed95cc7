import { Type } from "@sinclair/typebox";
import { defineEvent, type Recorded } from "../../events/envelope.ts";
import { createRegistry } from "../../events/registry.ts";
import { StoreRepaired } from "../../events/store.ts";

/** A small catalogue of the tests' own. `note/renamed` has a past: version 1 held a bare string. */
const NoteTaken = defineEvent(
	"note/taken",
	1,
	Type.Object({
		text: Type.String(),
		weight: Type.Optional(Type.Integer({ minimum: 0 })),
		tags: Type.Optional(Type.Array(Type.String())),
	}),
);
const NoteRenamed = defineEvent("note/renamed", 2, Type.Object({ name: Type.String() }), {
	1: (data) => ({ name: data }),
});
/** Takes anything, for payloads chosen at random. */
const NoteCarried = defineEvent("note/carried", 1, Type.Unknown());

export const registry = createRegistry([NoteTaken, NoteRenamed, NoteCarried, StoreRepaired]);

/** `count` notes whose texts say which they are. */
export function notes(count: number, from = 0): Recorded[] {
	return Array.from({ length: count }, (_, index) => note(`note ${from + index}`));
}

export function note(text: string): Recorded {
	return { event: { type: "note/taken", data: { text } }, at: 1_700_000_000_000, actor: "user" };
}
