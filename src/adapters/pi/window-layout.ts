import { NOBODY, type Owners } from "./owners.ts";
import type { StandingHead } from "./standing-head.ts";

/** What stands at one place of a window; `message` is an index into the host's messages. */
export type Slot =
	| { readonly kind: "raw" | "unthought"; readonly message: number }
	| { readonly kind: "clipped"; readonly message: number; readonly text: string }
	| { readonly kind: "folds"; readonly at: number; readonly texts: readonly string[] };

const NONE = -1;

/**
 * How windows are laid out where folds stand: what each entry means for that, found out once for each. It holds while
 * the head stands and the list of owners only grows.
 */
export class WindowLayout {
	readonly standing: StandingHead;
	readonly #owners: Owners;
	readonly #begun: number;
	/** by entry: the part that stands for it */
	readonly #places: number[] = [];
	/** by entry: how many parts begin at it or above */
	readonly #reached: number[] = [];
	/** parts of which the host keeps an entry, edited away or not */
	readonly #kept = new Set<number>();
	readonly #edited = new Set<string>();
	/** parts that tell of what was edited since: what they stand for is raw */
	readonly #stale = new Set<number>();

	constructor(standing: StandingHead, owners: Owners) {
		this.standing = standing;
		this.#owners = owners;
		this.#begun = owners.begun;
	}

	/** Whether it still holds. */
	holds(standing: StandingHead): boolean {
		return this.standing === standing && this.#begun === this.#owners.begun;
	}

	/**
	 * The slots of a window whose messages have these owners. Folds stand where the first of their entries stood, whole,
	 * as long as the host keeps one of them, edited away or not; raw entries keep the host's own message, in the host's
	 * order. What is nobody's stays behind what it stood behind. Adjacent folds are one slot. O(messages).
	 */
	slotsOf(owners: readonly number[]): Slot[] {
		this.#takeEntries();
		const { parts } = this.standing.head;
		const shown = new Map<number, Slot>();
		const behind: Slot[][] = Array.from({ length: parts.length + 1 }, () => []);
		let reached = 0;
		for (const [message, owner] of owners.entries()) {
			const place = owner === NOBODY ? NONE : this.#placeOf(owner);
			if (owner !== NOBODY) reached = Math.max(reached, this.#reached[owner] ?? 0);
			if (place === NONE) behind[reached]?.push(this.#rawSlot(message, owner));
			else shown.set(place, this.#rawSlot(message, owner));
		}
		const slots = behind[0] ?? [];
		let texts: string[] | undefined;
		let foldedAt: number | undefined;
		for (const [index, part] of parts.entries()) {
			const entry = shown.get(index);
			if (part.kind === "entry") {
				if (entry) {
					slots.push(entry);
					texts = undefined;
				}
			} else if (part.kind !== "gone") {
				if (part.kind === "fold")
					foldedAt = this.#kept.has(index) && !this.#stale.has(index) ? part.at : undefined;
				if (foldedAt !== undefined) {
					if (!texts) {
						texts = [];
						slots.push({ kind: "folds", at: foldedAt, texts });
					}
					texts.push(this.#textOf(part.text));
				}
			}
			const next = behind[index + 1] ?? [];
			if (next.length > 0) texts = undefined;
			for (const slot of next) slots.push(slot);
		}
		return slots;
	}

	#placeOf(owner: number): number {
		const place = this.#places[owner] ?? NONE;
		return this.#stale.has(place) ? NONE : place;
	}

	#takeEntries(): void {
		const { places, within, parts } = this.standing.head;
		let reached = this.#reached.at(-1) ?? 0;
		for (const entry of this.#owners.entries.slice(this.#places.length)) {
			const place = places.get(entry.id) ?? NONE;
			if (place !== NONE) this.#kept.add(place);
			const around = within.get(entry.id);
			if (around !== undefined) this.#kept.add(around);
			if (entry.type === "context_edit") {
				this.#edited.add(entry.targetId);
				const edited = places.get(entry.targetId) ?? NONE;
				if (!this.standing.edits.has(entry.id) && parts[edited]?.kind !== "entry") this.#stale.add(edited);
			}
			// a text of ours goes with the fold it follows
			reached = Math.max(reached, parts[place + 1]?.kind === "shown" ? place + 2 : place + 1);
			this.#places.push(place);
			this.#reached.push(reached);
		}
	}

	/** What an edit replaced stands as edited, whole. */
	#rawSlot(message: number, owner: number): Slot {
		const id = this.#owners.entries[owner]?.id;
		if (id === undefined || this.#edited.has(id)) return { kind: "raw", message };
		const { clips, unthought } = this.standing.head;
		const clip = clips.get(id);
		if (clip !== undefined) return { kind: "clipped", message, text: this.#textOf(clip) };
		return { kind: unthought.has(id) ? "unthought" : "raw", message };
	}

	#textOf(digest: string): string {
		const text = this.standing.texts.get(digest);
		if (text === undefined) throw new RangeError(`the text ${digest} is not at hand`);
		return text;
	}
}
