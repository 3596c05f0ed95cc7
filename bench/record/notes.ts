import type { Output } from "./scripted-model.ts";

/** Something the scripted model learned from tool output and may mention later. */
export interface Fact {
	readonly kind: "export" | "code" | "test" | "constant";
	readonly name: string;
	readonly file: string;
	/** 1-based line in `file` */
	readonly line: number;
	/** what its docstring says, cut to a phrase */
	readonly gist?: string;
}

/** What a test run said. */
export interface TestRun {
	readonly passed: number;
	readonly failed: number;
	/** first assertion that failed */
	readonly reason?: string;
}

/**
 * What the scripted model has seen so far, taken out of real tool output with patterns. It holds nothing the outputs
 * did not show, so whatever it says later could be found in the transcript.
 */
export class Notes {
	readonly #facts = new Map<string, Fact>();
	/** file sizes in characters, from a listing */
	readonly sizes = new Map<string, number>();
	/** 1-based line up to which a file was read; past its end once all of it was */
	readonly readTo = new Map<string, number>();

	/** Every fact, oldest first. */
	get facts(): readonly Fact[] {
		return [...this.#facts.values()];
	}

	/** Takes in what one reply's calls returned. */
	absorb(outputs: readonly Output[]): void {
		for (const { call, text, failed } of outputs) {
			if (failed) continue;
			if (call.tool === "read") this.#absorbFile(String(call.args.path), text, Number(call.args.offset ?? 1));
			if (call.tool === "bash") this.#absorbListing(text);
		}
	}

	#absorbFile(file: string, text: string, offset: number): void {
		const cut = /\n\n\[.*offset=(\d+).*\]\s*$/.exec(text);
		this.readTo.set(file, cut === null ? Number.POSITIVE_INFINITY : Number(cut[1]));
		let gist = "";
		for (const [i, line] of text.split("\n").entries()) {
			const doc = /^(?:\/\*\*| \*) +([A-Z][^@`.;:]{12,90}?)(?:[.;:`]|, | \*\/|$)/.exec(line)?.[1];
			if (line.startsWith("/**")) gist = doc ?? "";
			else if (line.startsWith(" * ") && gist === "") gist = doc ?? "";
			const at = { file, line: offset + i, ...(gist === "" ? {} : { gist: gist.trim() }) };
			if (/^\S/.test(line) && !/^\/\*\*/.test(line)) gist = "";
			const exported = /^export (?:async )?(?:function\*?|class|interface|type) (\w{4,})/.exec(line);
			if (exported?.[1]) this.#learn({ kind: "export", name: exported[1], ...at });
			const constant = /^(?:export )?const ([A-Z][A-Z0-9_]{4,})\b/.exec(line);
			if (constant?.[1]) this.#learn({ kind: "constant", name: constant[1], ...at });
			const test = /^\s*test(?:\.\w+)?\("([^"]{12,90})"/.exec(line);
			if (test?.[1]) this.#learn({ kind: "test", name: test[1], ...at });
			for (const [, code] of line.matchAll(/"([A-Z]{3,}(?:_[A-Z0-9]+)+)"/g)) {
				if (code) this.#learn({ kind: "code", name: code, ...at });
			}
		}
	}

	#absorbListing(text: string): void {
		for (const [, size, file] of text.matchAll(/^\s*(\d+) ([\w./-]+\.\w+)$/gm)) {
			if (size && file) this.sizes.set(file, Number(size));
		}
	}

	#learn(fact: Fact): void {
		const key = `${fact.kind} ${fact.name}`;
		if (!this.#facts.has(key)) this.#facts.set(key, fact);
	}
}

/** Reads a test runner's or a compiler's verdict. */
export function testRun(outputs: readonly Output[]): TestRun {
	const text = outputs.map((output) => output.text).join("\n");
	const tests = /^\s*Tests\s+(.*)$/m.exec(text)?.[1] ?? "";
	const reason = /(?:AssertionError|Error): ([^\n]{1,160})/.exec(text)?.[1];
	return {
		passed: Number(/(\d+) passed/.exec(tests)?.[1] ?? 0),
		failed: Number(/(\d+) failed/.exec(tests)?.[1] ?? 0),
		...(reason === undefined ? {} : { reason }),
	};
}
