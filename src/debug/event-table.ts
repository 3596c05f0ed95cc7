/** What is kept of each event: its type and its time, by its place in the stream. A million take 10 MB. */
export class EventTable {
	readonly #types: string[] = [];
	readonly #codeOf = new Map<string, number>();
	#codes = new Uint16Array(1024);
	#times = new Float64Array(1024);
	#length = 0;

	/** Number of places, those of events never told included. */
	get length(): number {
		return this.#length;
	}

	/** Takes in an event; those of a stream may come in any order. */
	add({
		position,
		type,
		at,
	}: {
		readonly position: number;
		readonly type: string;
		readonly at: number;
	}): void {
		if (position >= this.#codes.length) this.#widen(position + 1);
		this.#codes[position] = this.#code(type) + 1;
		this.#times[position] = at;
		this.#length = Math.max(this.#length, position + 1);
	}

	/** The type of the event at a place; `undefined` where none was told. */
	typeAt(position: number): string | undefined {
		return this.#types[(this.#codes[position] ?? 0) - 1];
	}

	/** When the event at a place happened, ms since the epoch. */
	timeAt(position: number): number | undefined {
		return position < this.#length ? this.#times[position] : undefined;
	}

	/** How many events there are of each type, in the order the types came first. */
	counts(): Map<string, number> {
		const counts = new Uint32Array(this.#types.length + 1);
		for (let position = 0; position < this.#length; position++) {
			const code = this.#codes[position] as number;
			counts[code] = (counts[code] as number) + 1;
		}
		return new Map(this.#types.map((type, index) => [type, counts[index + 1] as number]));
	}

	/** The places of the events whose type is wanted, in order. */
	positionsOf(wanted: (type: string) => boolean): number[] {
		const isWanted = [false, ...this.#types.map(wanted)];
		const positions: number[] = [];
		for (let position = 0; position < this.#length; position++)
			if (isWanted[this.#codes[position] as number]) positions.push(position);
		return positions;
	}

	#code(type: string): number {
		const known = this.#codeOf.get(type);
		if (known !== undefined) return known;
		this.#codeOf.set(type, this.#types.length);
		return this.#types.push(type) - 1;
	}

	#widen(least: number): void {
		const size = Math.max(least, 2 * this.#codes.length);
		const [codes, times] = [new Uint16Array(size), new Float64Array(size)];
		codes.set(this.#codes);
		times.set(this.#times);
		[this.#codes, this.#times] = [codes, times];
	}
}
