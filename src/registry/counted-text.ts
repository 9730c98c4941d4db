import { Kind, type TSchema, TypeRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { hasLength, type LengthLimits } from '../plugin/text-length.ts';

/** The kind of a string schema whose length is counted in characters. See `countingCharacters`. */
const COUNTED = 'feedloom:counted';

interface Counted extends TSchema, LengthLimits {
  /** The other requirements on the text. */
  rest: TSchema | undefined;
}

TypeRegistry.Set<Counted>(
  COUNTED,
  (schema, value) =>
    typeof value === 'string' &&
    hasLength(value, schema) &&
    (schema.rest === undefined || Value.Check(schema.rest, value)),
);

/**
 * Copies a schema so that text lengths are counted in characters, as JSON Schema and the ingest API count them.
 *
 * TypeBox counts UTF-16 units, and an emoji has two. Use the copy for checks only: descriptions are unchanged.
 */
export function countingCharacters(schema: TSchema): TSchema {
  return counting(schema) as TSchema;
}

/** Describes why a schema made by `countingCharacters` rejects a value. Undefined for other kinds of schema. */
export function countedProblem(schema: TSchema, value: unknown): string | undefined {
  if (!isCounted(schema)) return undefined;
  if (typeof value !== 'string') return 'expected string';
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, rest } = schema;
  if (hasLength(value, { minLength, maxLength }))
    return rest === undefined ? undefined : Value.Errors(rest, value).First()?.message;
  if (maxLength === Number.POSITIVE_INFINITY) return `expected at least ${minLength} characters`;
  return `expected ${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`;
}

function isCounted(schema: TSchema): schema is Counted {
  return schema[Kind] === COUNTED;
}

function counting(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(counting);
  if (typeof part !== 'object' || part === null || Object.getPrototypeOf(part) !== Object.prototype)
    return part;
  // TypeBox keeps its own data under symbols.
  const copy: Record<string | symbol, unknown> = {};
  for (const key of Reflect.ownKeys(part)) copy[key] = counting(Reflect.get(part, key));
  if (copy[Kind] !== 'String' || (copy.minLength === undefined && copy.maxLength === undefined)) return copy;
  const { minLength: _, maxLength: __, ...rest } = copy;
  const more = rest.pattern !== undefined || rest.format !== undefined;
  return { ...copy, [Kind]: COUNTED, rest: more ? rest : undefined };
}
