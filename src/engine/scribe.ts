import type { DomainEvent } from "../../events/catalogue.ts";
import { editsUpFrom } from "../../projections/edits.ts";
import { type Cut, cutOf, type Forest, forest, levelsEndingAt, ownForest } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { type Place, replayInto } from "../../projections/projection.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { type Item, planAt } from "../../projections/window-plan.ts";
import { renderWorkSummary, type SummaryLimits } from "../../projections/work-summary/render.ts";
import type { Occurring } from "../commands/commit.ts";
import type { RequestCommand } from "../commands/commit-made.ts";
import type { CommandTools } from "../commands/window-command.ts";
import type { Contents } from "./contents.ts";
import { receiptText } from "./receipt.ts";
import { rendererOf } from "./renderer.ts";
import { rewriteTexts } from "./rewriting.ts";
import { type StretchBrief, stretchBrief } from "./stretch-brief.ts";
import {
	briefText,
	clipText,
	type Desk,
	regrouped,
	releasedText,
	rendererOfStored,
	suppliedAgain,
	suppliedIn,
	suppliedTexts,
	writeCut,
	writeGroup,
} from "./texts.ts";
import { digestOf, proofOf, type Sha256Text } from "./window-chain.ts";
import { evidenceUntold } from "./work-summary.ts";

/**
 * Puts into words what deciders ask for, and into digests; what it writes is put aside, to be stored with the events.
 */
export class Scribe {
	readonly #contents: Contents;
	readonly hashText: Sha256Text;

	constructor(contents: Contents, hash: (bytes: Uint8Array) => string) {
		this.#contents = contents;
		this.hashText = (text) => hash(encode(text));
	}

	/** What a decider about a request needs beside the states. */
	command(states: SessionStates, request: Occurring): RequestCommand {
		const keep = (text: string) => ({ text: this.#contents.keep(encode(text)).digest, chars: text.length });
		return {
			...request,
			clip: (node) => {
				const entry = this.#contents.entry(node);
				const text = entry && (node.isPeek ? releasedText(entry) : clipText(entry));
				const isShorter = text !== undefined && (node.weight.images > 0 || text.length < node.weight.chars);
				return isShorter ? keep(text) : undefined;
			},
			receipt: (facts) => {
				const notice = receiptText(facts, (digest) => this.briefText(states, digest));
				const summary = facts.summary && this.#workSummary(states, request.leaf, facts.summary);
				const text = summary ? `${notice}\n\n${summary}` : notice;
				const plain = receiptText({ ...facts, unbriefed: [] }, () => "");
				return { ...keep(text), ...(plain !== text && { plain: keep(plain) }) };
			},
			digest: (items) => digestOf(items, this.hashText),
		};
	}

	#workSummary(states: SessionStates, leaf: string | null, limits: SummaryLimits): string | undefined {
		const source = {
			states,
			entry: (id: string) => this.#contents.entry(nodeOf(states.tree, id)),
			content: (digest: string) => this.#contents.content(digest),
		};
		const { evidence, isRest } = evidenceUntold(source, leaf);
		return renderWorkSummary(evidence, limits, isRest);
	}

	/** What a decider about the window at a leaf needs beside the states; `ordinal` numbers the decision. */
	tools(states: SessionStates, leaf: string | null, ordinal: number): CommandTools {
		return {
			leaf,
			ordinal,
			digest: (items) => digestOf(items, this.hashText),
			write: (cut, pending, supplied) => {
				const desk = this.desk(states, leaf);
				const texts = suppliedTexts(desk, cut, pending, supplied);
				const { digest } = this.#contents.keep(encode(supplied));
				const { name: renderer } = rendererOfStored(desk, texts[0]?.brief ?? "");
				return { texts, supplied: digest, renderer };
			},
			regroup: (texts, pending) => regrouped(this.desk(states, leaf), pending, texts),
			supplyAgain: (drawn, told) => {
				const { forest } = this.#redrawn(states, drawn, { at: 0, position: ordinal });
				const pending = drawn.data.cuts.flatMap(({ id }) => cutOf(forest, id) ?? []);
				return suppliedAgain(this.desk({ ...states, forest }, leaf), pending, told);
			},
		};
	}

	/** The proof of a window that the node of a decision carries. */
	proof(items: readonly Item[]): string {
		return proofOf(items, this.hashText);
	}

	/** A brief as text, by the digest of its structured form; empty where it is not stored. */
	briefText(states: SessionStates, digest: string): string {
		return briefText(this.desk(states, null), digest);
	}

	/** What would be told of a stretch of the path to the leaf now; `undefined` where no model was sent anything of it. */
	briefOf(states: SessionStates, stretch: readonly EntryNode[]): StretchBrief | undefined {
		return stretchBrief(this.desk(states, states.tree.leaf), stretch);
	}

	/** What was supplied for a fold, by the digest of its brief's structured form. */
	suppliedIn(states: SessionStates, digest: string): string | undefined {
		return suppliedIn(this.desk(states, null), digest);
	}

	/**
	 * The texts that a cut completes, where they are not written yet: its own, those of groups, and what edits behind it
	 * make of them. Each must be part of the states before the next is asked for.
	 */
	*textsOf(states: () => SessionStates, cutId: string, leaf: string | null): Generator<DomainEvent> {
		const cut = cutOf(states().forest, cutId);
		if (!cut) return;
		if (cut.texts.length === 0) yield* this.#newTexts(states, cut, leaf);
		const { tree } = states();
		const end = nodeOf(tree, cut.to)?.depth;
		for (const edit of [...editsUpFrom(tree, leaf, end)].reverse()) {
			const rewriting = rewriteTexts(this.desk(states(), leaf), edit, cutOf(states().forest, cutId));
			if (rewriting) yield rewriting;
		}
	}

	/** The texts of cuts that are drawn anew, before that is said of the states in force, which stay as they are. */
	textsOfRecut(
		states: SessionStates,
		event: Extract<DomainEvent, { type: "mark/recut" }>,
		place: Place,
	): DomainEvent[] {
		return this.#redrawn(states, event, place).texts;
	}

	/** What the forest is once cuts are drawn anew, and the texts that are written then. */
	#redrawn(
		states: SessionStates,
		event: Extract<DomainEvent, { type: "mark/recut" }>,
		place: Place,
	): { forest: Forest; texts: DomainEvent[] } {
		const own = ownForest(states.forest);
		const absorb = (one: DomainEvent) => replayInto(forest, own, [{ event: one as typeof event, ...place }]);
		const then = () => ({ ...states, forest: own });
		const texts: DomainEvent[] = [];
		absorb(event);
		for (const { id } of event.data.cuts) {
			for (const text of this.textsOf(then, id, event.data.parent)) {
				absorb(text);
				texts.push(text);
			}
		}
		return { forest: own, texts };
	}

	/** What texts at a leaf are written from and with. */
	desk(states: SessionStates, leaf: string | null): Desk {
		return {
			states,
			renderer: rendererOf(states.rules.settings.briefs),
			leaf,
			texts: (planAt(states, leaf) ?? BARE_PLAN).texts,
			entry: (id) => this.#contents.entry(nodeOf(states.tree, id)),
			content: (digest) => this.#contents.content(digest),
			keep: (bytes) => this.#contents.keep(bytes),
		};
	}

	*#newTexts(states: () => SessionStates, cut: Cut, leaf: string | null): Generator<DomainEvent> {
		yield writeCut(this.desk(states(), leaf), cut);
		for (let level = 1; level <= levelsEndingAt(states().forest, cut); level++) {
			const last = cutOf(states().forest, cut.id) ?? cut;
			const written = writeGroup(this.desk(states(), leaf), last, level);
			if (!written) break;
			yield written;
		}
	}
}

function encode(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
