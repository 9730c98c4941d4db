import {
  type Static,
  type TArray,
  type TBoolean,
  type TInteger,
  type TLiteral,
  type TNull,
  type TNumber,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';

/** Parts that several schemas share. */

export function Text(description: string, example?: string): TString {
  return Type.String({ description, example });
}

export function Texts(description: string, example: string[]): TArray<TString> {
  return Type.Array(Type.String(), { description, example });
}

export function TextOrNull(description: string, example?: string | null): TUnion<[TString, TNull]> {
  return Type.Union([Type.String(), Type.Null()], { description, example });
}

export function Flag(description: string, example?: boolean): TBoolean {
  return Type.Boolean({ description, example });
}

export function Integer(description: string, example?: number): TInteger {
  return Type.Integer({ description, example });
}

export function IntegerOrNull(description: string, example?: number | null): TUnion<[TInteger, TNull]> {
  return Type.Union([Type.Integer(), Type.Null()], { description, example });
}

export function Count(description: string, example?: number): TInteger {
  return Type.Integer({ minimum: 0, description, example });
}

export function Amount(description: string, example?: number): TNumber {
  return Type.Number({ minimum: 0, description, example });
}

/** From 0 to 1. */
export function Share(description: string, example?: number): TNumber {
  return Type.Number({ minimum: 0, maximum: 1, description, example });
}

export function Seconds(description: string, example = 1764865269): TInteger {
  return Count(`${description} Seconds since the Unix epoch.`, example);
}

export function OneOf<Value extends string>(
  values: readonly Value[],
  description: string,
  example?: NoInfer<Value>,
): TUnion<TLiteral<Value>[]> {
  const shown = example === undefined ? { description } : { description, example };
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    shown,
  );
}

/** @param maxItems undefined: any number */
export function ListOf<Entry extends TSchema>(
  description: string,
  entry: Entry,
  maxItems?: number,
): TArray<Entry> {
  return Type.Array(entry, { maxItems, description });
}

/** An object that may get further properties later. */
export function ObjectOf<Properties extends TProperties>(
  description: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { description });
}

/** An object with exactly these properties. */
export function strict<Properties extends TProperties>(
  properties: Properties,
  description: string,
  $id?: string,
): TObject<Properties> {
  return Type.Object(properties, { description, additionalProperties: false, $id });
}

/** A field that is always present and may be null. @param absent meaning of null */
export function orNull<Schema extends TSchema>(
  schema: Schema,
  absent = 'unknown.',
): TUnion<[TUnsafe<Static<Schema>>, TNull]> {
  const { description, example, ...form } = schema;
  return Type.Union([Type.Unsafe<Static<Schema>>(form), Type.Null()], {
    description: `${description} null: ${absent}`,
    example,
  });
}

export const EffortSchema = Type.Union([Type.Literal(1), Type.Literal(0.5), Type.Literal(0.25)], {
  description:
    'Share of the usual candidates that the page searched: less than 1 while the service is overloaded.',
  example: 1,
});

export const ColdStartReasonSchema = Type.Union([Type.String(), Type.Null()], {
  description:
    'The rule that makes the viewer a cold-start viewer, with its numbers for keys of the account whose feed it is. null: the viewer is not one.',
  example: 'the viewer has 0 interactions that count, fewer than min_interactions 2',
});

export const STAGE_NAMES = [
  Type.Literal('candidates'),
  Type.Literal('ranking'),
  Type.Literal('visibility'),
  Type.Literal('mixing'),
];
