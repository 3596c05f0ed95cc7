/** Postings of a term, or of several one behind the other: documents, and how often each holds it. Used again and again. */
export class PostingList {
	/** how many there are; what stands behind them in the lists is left from before */
	length = 0;
	documents = new Int32Array(1024);
	times = new Int32Array(1024);

	/** Makes room for so many more. */
	reserve(more: number): void {
		const needed = this.length + more;
		if (needed <= this.documents.length) return;
		const size = Math.max(needed, 2 * this.documents.length);
		this.documents = grown(this.documents, size);
		this.times = grown(this.times, size);
	}

	/** Puts one behind the others. */
	add(document: number, times: number): void {
		this.reserve(1);
		this.documents[this.length] = document;
		this.times[this.length] = times;
		this.length += 1;
	}
}

function grown(list: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
	const larger = new Int32Array(size);
	larger.set(list);
	return larger;
}
