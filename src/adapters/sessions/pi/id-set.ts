/**
 * A set of entry ids. The host's ids are eight hex digits; they are kept as numbers, at 6 to 12 bytes each where a
 * `Set` of strings takes about 80, so that a long session's ids weigh little. Other ids are kept as they are.
 */
export class IdSet {
	/** open addressing, at most two thirds full; 0 is a free slot */
	private slots = new Uint32Array(1024);
	private used = 0;
	private hasZero = false;
	private readonly others = new Set<string>();

	/** Whether the id was added. */
	has(id: string): boolean {
		const value = hexOf(id);
		if (value === undefined) return this.others.has(id);
		return value === 0 ? this.hasZero : this.slots[slotOf(this.slots, value)] === value;
	}

	/** Adds an id. */
	add(id: string): void {
		const value = hexOf(id);
		if (value === undefined) this.others.add(id);
		else if (value === 0) this.hasZero = true;
		else {
			const slot = slotOf(this.slots, value);
			if (this.slots[slot] === value) return;
			this.slots[slot] = value;
			if (++this.used * 3 > this.slots.length * 2) this.grow();
		}
	}

	private grow(): void {
		const wider = new Uint32Array(this.slots.length * 2);
		for (const value of this.slots) if (value !== 0) wider[slotOf(wider, value)] = value;
		this.slots = wider;
	}
}

/** Where the value stands, or the free slot it belongs in; the number of slots is a power of two. */
function slotOf(slots: Uint32Array, value: number): number {
	const mask = slots.length - 1;
	const mixed = Math.imul(value ^ (value >>> 15), 0x9e3779b1);
	let slot = (mixed ^ (mixed >>> 13)) & mask;
	while (slots[slot] !== 0 && slots[slot] !== value) slot = (slot + 1) & mask;
	return slot;
}

function hexOf(id: string): number | undefined {
	if (id.length !== 8) return undefined;
	let value = 0;
	for (let i = 0; i < 8; i++) {
		const code = id.charCodeAt(i);
		if (code >= 48 && code <= 57) value = value * 16 + code - 48;
		else if (code >= 97 && code <= 102) value = value * 16 + code - 87;
		else return undefined;
	}
	return value;
}
