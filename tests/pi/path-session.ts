import { buildSessionProjection, type SessionEntry } from "@earendil-works/pi-coding-agent";
import type { HostMessage } from "../../src/adapters/pi/host-messages.ts";

/** A session that is nothing but its entries and where the leaf is, read as the host reads it. */
export class PathSession {
	readonly #entries = new Map<string, SessionEntry>();
	leaf: string | null = null;

	/** Appends an entry below the leaf. */
	append(entry: { readonly type: string; readonly id?: string; readonly [field: string]: unknown }): string {
		const id = entry.id ?? `e${this.#entries.size + 1}`;
		const timestamp = new Date(1_000 * this.#entries.size).toISOString();
		const whole = { timestamp, ...entry, id, parentId: this.leaf };
		this.#entries.set(id, whole as unknown as SessionEntry);
		this.leaf = id;
		return id;
	}

	getLeafId(): string | null {
		return this.leaf;
	}

	getLeafEntry(): SessionEntry | undefined {
		return this.leaf === null ? undefined : this.#entries.get(this.leaf);
	}

	getEntry(id: string): SessionEntry | undefined {
		return this.#entries.get(id);
	}

	ids(): string[] {
		return [...this.#entries.keys()];
	}

	/** By message the host would send: its entry, and a copy of it. */
	projected(): { id: string; message: HostMessage }[] {
		const { entries } = buildSessionProjection([...this.#entries.values()], this.leaf);
		return entries.flatMap(({ sourceEntry, messages }) =>
			messages.map((message) => ({ id: sourceEntry.id, message: structuredClone(message) })),
		);
	}
}
