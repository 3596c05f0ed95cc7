import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Whether a value fits the schema it was compiled from. */
export type SchemaCheck = (value: unknown) => boolean;

const compiled = new WeakMap<TSchema, SchemaCheck>();

/**
 * The check for a schema, compiled once to closures. TypeBox's own interpreter takes 10 µs for a usual payload, three
 * times what everything else costs to read one event; these take a twentieth of that. They know the plain keywords
 * events use; whatever holds any other is handed to TypeBox, which stays the authority (a test holds the two together).
 */
export function schemaCheck(schema: TSchema): SchemaCheck {
	const known = compiled.get(schema);
	if (known) return known;
	const check = compile(schema as JsonSchema);
	compiled.set(schema, check);
	return check;
}

/** The first thing wrong with a value, in words; for messages only. */
export function schemaProblem(schema: TSchema, value: unknown): string {
	// TypeBox 0.34 names the place `path`, 1.x `instancePath`
	for (const error of Value.Errors(schema, value) as Iterable<SchemaProblem>) {
		return `${error.instancePath || error.path || "payload"} ${error.message}`;
	}
	return "payload does not fit its schema";
}

interface SchemaProblem {
	readonly instancePath?: string;
	readonly path?: string;
	readonly message: string;
}

interface JsonSchema extends TSchema {
	readonly type?: string;
	readonly const?: unknown;
	readonly anyOf?: readonly JsonSchema[];
	readonly items?: JsonSchema | readonly JsonSchema[];
	readonly properties?: { readonly [key: string]: JsonSchema };
	readonly required?: readonly string[];
	readonly minimum?: number;
}

const NOTES = new Set([
	"type",
	"title",
	"description",
	"$comment",
	"examples",
	"default",
	"~kind",
	"~optional",
]);

function compile(schema: JsonSchema): SchemaCheck {
	return plain(schema) ?? ((value) => Value.Check(schema, value));
}

function plain(schema: JsonSchema): SchemaCheck | undefined {
	const keywords = Object.keys(schema).filter((key) => !NOTES.has(key));
	const only = (...allowed: string[]): boolean => keywords.every((key) => allowed.includes(key));
	if (schema.anyOf && only("anyOf")) return anyOf(schema.anyOf);
	if ("const" in schema && only("const")) return (value) => value === schema.const;
	switch (schema.type) {
		case "string":
			return only() ? (value) => typeof value === "string" : undefined;
		case "boolean":
			return only() ? (value) => typeof value === "boolean" : undefined;
		case "null":
			return only() ? (value) => value === null : undefined;
		case "number":
		case "integer":
			return only("minimum") ? numeric(schema) : undefined;
		case "array":
			return only("items") && schema.items && !Array.isArray(schema.items)
				? arrayOf(schema.items as JsonSchema)
				: undefined;
		case "object":
			return only("properties", "required") && schema.properties ? objectOf(schema) : undefined;
		default:
			return undefined;
	}
}

function numeric({ type, minimum = Number.NEGATIVE_INFINITY }: JsonSchema): SchemaCheck {
	const fits = type === "integer" ? Number.isInteger : Number.isFinite;
	return (value) => fits(value) && (value as number) >= minimum;
}

function anyOf(options: readonly JsonSchema[]): SchemaCheck {
	if (options.every((option) => "const" in option)) {
		const constants = new Set(options.map((option) => option.const));
		return (value) => constants.has(value);
	}
	const checks = options.map(compile);
	return (value) => checks.some((check) => check(value));
}

function arrayOf(items: JsonSchema): SchemaCheck {
	const check = compile(items);
	return (value) => Array.isArray(value) && value.every(check);
}

function objectOf({ properties = {}, required = [] }: JsonSchema): SchemaCheck {
	const fields = Object.keys(properties).map((key) => ({
		key,
		check: compile(properties[key] as JsonSchema),
		required: required.includes(key),
	}));
	return (value) => {
		if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
		for (const field of fields) {
			const found = (value as Record<string, unknown>)[field.key];
			if (found === undefined) {
				if (field.required) return false;
			} else if (!field.check(found)) return false;
		}
		return true;
	};
}
