import type { DomainEvent } from "../../events/catalogue.ts";

/** The digests of the content an event refers to; of events this release does not know, none. */
export function referencesOf({ type, data }: { readonly type: string; readonly data: unknown }): string[] {
	const event = { type, data } as DomainEvent;
	switch (event.type) {
		case "entry/recorded":
			return [event.data.digest];
		case "output/kept":
			return [...event.data.pieces];
		case "brief/written":
			return [event.data.brief, event.data.text];
		case "brief/rewritten":
			return event.data.texts.flatMap(({ brief, text }) => [brief, text]);
		case "commit/undone":
		case "mark/recut":
			return (event.data.texts ?? []).flatMap(({ brief, text }) => [brief, text]);
		case "brief/supplied":
			return [event.data.supplied, ...event.data.texts.flatMap(({ brief, text }) => [brief, text])];
		case "fold/made":
		case "fold/grouped":
		case "fold/clipped":
		case "fold/released":
			return [event.data.text];
		case "shown/appended": {
			const { text, plain } = event.data;
			return plain ? [text, plain.text] : [text];
		}
		case "memory/recorded":
		case "memory/proposed":
		case "memory/derived":
			return [event.data.body];
		case "memory/superseded":
			return [event.data.record.body];
		case "memory/imported":
			return referencesOf(event.data);
		default:
			return [];
	}
}
