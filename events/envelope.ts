import type { Static, TSchema } from "@sinclair/typebox";

/** Who an event is owed to: a person, the model, a rule of ours, this program at work, or the host. */
export type Actor = "user" | "model" | "rule" | "runtime" | "host";

/** Rewrites a payload of schema version `n` into version `n + 1`. Pure, total, and frozen once released. */
export type Upcaster = (data: unknown) => unknown;

/**
 * What can happen, once: its name, the version of its payload, the payload's schema, and the way up from older
 * versions.
 */
export interface EventDefinition<T extends string = string, S extends TSchema = TSchema> {
	readonly type: T;
	/** schema version written today, from 1 */
	readonly v: number;
	readonly schema: S;
	/** `upcasters[n]` takes version `n` to `n + 1` */
	readonly upcasters: { readonly [version: number]: Upcaster };
}

/** Defines an event type. `type` is `noun/pastTense`; `v` counts schema versions from 1. */
export function defineEvent<const T extends string, S extends TSchema>(
	type: T,
	v: number,
	schema: S,
	upcasters: { readonly [version: number]: Upcaster } = {},
): EventDefinition<T, S> {
	return { type, v, schema, upcasters };
}

/** The event a definition describes: its type and its payload, before it is given a place in a stream. */
export type EventOf<D extends EventDefinition> =
	D extends EventDefinition<infer T, infer S> ? { readonly type: T; readonly data: Static<S> } : never;

/** What a caller appends: an event with its time and its author. */
export interface Recorded<E extends { type: string; data: unknown } = { type: string; data: unknown }> {
	readonly event: E;
	/** ms since the epoch, given by the caller */
	readonly at: number;
	readonly actor: Actor;
	/** the tool call or command behind it */
	readonly cause?: string;
	/** the entry of the session tree that carries the decision */
	readonly node?: string;
}

/** An event with its place: what a stream holds and a reader gets back, upcast to today's schema. */
export interface Envelope {
	readonly stream: string;
	/** place in the stream, from 0 */
	readonly position: number;
	readonly type: string;
	readonly v: number;
	readonly at: number;
	readonly actor: Actor;
	readonly cause?: string;
	readonly node?: string;
	readonly data: unknown;
}
