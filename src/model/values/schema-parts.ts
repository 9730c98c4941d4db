/**
 * TypeBox schemas of the values in records, for the API description.
 *
 * They contain what JSON Schema can express. The parsers decide, because a schema cannot know that 30 February does not
 * exist.
 */
import { type TObject, type TProperties, type TSchema, type TString, Type } from '@sinclair/typebox';
import { LIMITS } from '../../limits.ts';
import { CHANNEL_LENGTH_MAX, NAME_LENGTH_MAX } from './checks.ts';

const NO_NUL = '^[^\\u0000]*$';

export function opaque(length_max: number, minLength = 1): TString {
  return Type.String({ minLength, maxLength: length_max, pattern: NO_NUL });
}

/** A string that is never a number, such as a wallet address or an identifier in a path. */
export const Text = opaque(LIMITS.id_length_max);

const SafeInteger = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** An integer counts as its decimal string. */
export const Identifier = Type.Union([Text, SafeInteger]);
export const ClearableIdentifier = Type.Union([opaque(LIMITS.id_length_max, 0), SafeInteger]);

export const Channel = opaque(CHANNEL_LENGTH_MAX, 0);

export const Time = Type.Union([
  Type.Number({
    minimum: 0,
    maximum: LIMITS.stored_seconds_max,
    description: 'Seconds since the Unix epoch; fractions are rounded to milliseconds.',
  }),
  Type.String({
    description:
      'ISO 8601 date or date-time, with `T` or a blank between the two; without a zone it is UTC. The second 60 of a leap second is the next second.',
    pattern:
      '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([Tt ]([01]\\d|2[0-3]):[0-5]\\d(:([0-5]\\d|60)(\\.\\d{1,9})?)?([Zz]| UTC| GMT|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)?)?$',
  }),
]);

export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const Language = Type.String({ pattern: '^$|^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,8}$' });

export const GeoLocation = Type.String({
  pattern: '^$|^\\s*-?\\d{1,3}(\\.\\d{1,20})?\\s*,\\s*-?\\d{1,3}(\\.\\d{1,20})?\\s*$',
});

/** Links and texts: parts that cannot be kept are dropped without refusing the record. */
export const AnyText = Type.String();

export function textUpTo(length_max: number): TString {
  return Type.String({ maxLength: length_max });
}

export const TypeName = opaque(NAME_LENGTH_MAX);

const Score = Type.Number({ minimum: 0, maximum: 1, description: 'The score, from 0 to 1.' });
const LabelEntry = Type.Union([
  opaque(NAME_LENGTH_MAX),
  Type.Object({ label: { ...opaque(NAME_LENGTH_MAX), description: 'The label.' }, score: Score }),
]);
const LabelList = Type.Array(LabelEntry);

export const AiLabels = Type.Union([
  Type.Object({}, { additionalProperties: Type.Union([Score, LabelList, Type.Null()]) }),
  LabelList,
]);

const BASE64 = '[A-Za-z0-9+/]';
/** The whole groups of four characters in the base64 of some bytes. */
const groupsOf = (bytes: number): number => Math.floor(bytes / 3);

/** Base64 of an embedding may lack padding. */
export const Embedding = Type.Union([
  Type.Array(Type.Number(), {
    minItems: LIMITS.embedding_length_min,
    maxItems: LIMITS.embedding_length_max,
  }),
  Type.String({
    pattern: `^$|^(${BASE64}{4}){${groupsOf(LIMITS.embedding_length_min)},${groupsOf(LIMITS.embedding_length_max)}}(${BASE64}{2}(==)?|${BASE64}{3}=?)?$`,
  }),
]);

export const Flag = Type.Boolean();

export const Metadata = Type.Object({}, { additionalProperties: true });

/** Without a maximum, because entries after the first 1,000 are dropped without refusing the record. */
export function listOf<T extends TSchema>(entry: T) {
  return Type.Array(entry);
}

export function wordOf(words: readonly string[]) {
  return Type.Union(words.map((word) => Type.Literal(word)));
}

export function required<T extends TSchema>(schema: T, description?: string, example?: unknown): T {
  return { ...schema, description, ...(example === undefined ? {} : { example }) };
}

/** An optional field. `null` means absent. */
export function optional<T extends TSchema>(schema: T, description: string, example: unknown) {
  return Type.Optional(Type.Union([schema, Type.Null()], { description, example }));
}

/** A record. Its example consists of its fields' examples, and unknown fields are accepted. */
export function recordOf<T extends TProperties>(
  title: string,
  description: string,
  properties: T,
): TObject<T> {
  const example: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties))
    if (schema.example !== undefined) example[name] = schema.example;
  return Type.Object(properties, { title, description, example, additionalProperties: true });
}
