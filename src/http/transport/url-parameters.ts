import { type TSchema, Type } from '@sinclair/typebox';
import { identifier } from '../../model/values/checks.ts';
import { type Check, type FieldCheck, refuse, whole } from '../../model/values/refusal.ts';
import { Text, Time } from '../../model/values/schema-parts.ts';
import { seconds } from '../../model/values/time.ts';
import * as type from '../../model/values/values.ts';
import { checkedBy } from './checked.ts';
import { urlOf } from './request-url.ts';

const UNDECODABLE = 'is not percent-encoded UTF-8';
const ONCE = 'must have a value, and be given once';

interface UrlContext {
  request: Request;
  /** Undefined for routes without any. */
  params?: object;
  query: Record<string, unknown>;
}

/**
 * Replaces parameters of path and query by ones that hide nothing: text that is not percent-encoded UTF-8 is null, and
 * a repeated parameter is a list. Elysia repairs the text, which might name another user, and takes the last value.
 */
export function strictParameters(context: UrlContext): void {
  const { pathname, search } = urlOf(context.request);
  if (context.params !== undefined && percentDecoded(pathname) === null) {
    const names = Object.keys(context.params);
    context.params = Object.fromEntries(names.map((name) => [name, null]));
  }
  const query: Record<string, unknown> = {};
  for (const pair of search.slice(1).split('&')) {
    const [key, ...rest] = pair.split('=');
    const name = percentDecoded(key);
    if (pair === '' || name === null) continue;
    const value = percentDecoded(rest.join('='));
    query[name] = Object.hasOwn(query, name) ? [query[name], value] : value;
  }
  context.query = query;
}

/** Decodes a part of a URL, in which `+` is a blank. Null for text that cannot be decoded. */
function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

export function queryOf<T extends Record<string, TSchema>>(properties: T) {
  return Type.Object(properties, { additionalProperties: true });
}

/**
 * The parameters of the query of a deletion. Unknown ones are refused: without its misspelt `timestamp` or `keep_items`, a
 * deletion would remove more than it was meant to.
 */
export function removalQueryOf<T extends Record<string, TSchema>>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * A parameter that may be given once.
 * @param check gets the text, or a value that it returned
 * @param missing the fault of a parameter that is absent or empty
 * @param repeated the fault of a parameter that is repeated
 */
export function parameter<T>(schema: TSchema, check: FieldCheck<T>, missing = ONCE, repeated = missing) {
  return checkedBy(schema, (value) => {
    if (value === null) return refuse(UNDECODABLE);
    if (value === undefined || value === '') return refuse(missing);
    return Array.isArray(value) ? refuse(repeated) : whole(check(value));
  });
}

/** An integer in decimal digits; `absent` without one. Elysia's own also accepts `0x10` and `1e1`. */
export function integerParameter(
  { min, max, absent }: Record<'min' | 'max' | 'absent', number>,
  description: string,
  once?: string,
) {
  const shown = { description: `${description} Default ${absent}.`, example: absent };
  const schema = Type.Integer({ minimum: min, maximum: max, default: absent, ...shown });
  return parameter(schema, digitsWithin(min, max), once);
}

/** Checks decimal digits without leading zeros. */
export function digitsWithin(min: number, max: number): Check<number> {
  return (value) => {
    const number = /^(0|[1-9]\d{0,15})$/.test(String(value)) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : refuse(`must be an integer from ${min} to ${max}`);
  };
}

/** One of a few words. @param shown its `default` is the value of an absent one */
export function wordParameter<const T extends string>(
  words: readonly T[],
  description: string,
  shown: { default?: NoInfer<T>; example?: NoInfer<T> } = {},
  missing?: string,
) {
  const { schema, check } = type.word(words);
  return parameter({ ...schema, description, ...shown }, check, missing);
}

/** `true` or `false`; false when absent. */
export function flagParameter(description: string) {
  const shown = { description: `${description} Default false.`, example: false };
  return parameter<boolean>(Type.Boolean({ default: false, ...shown }), (value) => {
    const text = String(value);
    return text === 'true' || text === 'false' ? text === 'true' : refuse('must be true or false');
  });
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** A time zone whose `+` was not percent-encoded and so became a blank. */
const BLANK_ZONE = /(:\d\d(?:\.\d+)?) (\d\d(?::?\d\d)?)$/;

/** A time in seconds, in the forms that records allow. */
export function timeParameter(description: string, example?: number) {
  const shown = { description, ...(example === undefined ? {} : { example }) };
  return parameter(Type.Unsafe({ ...Time, ...shown }), (value) => {
    const text = String(value);
    return seconds(NUMBER.test(text) ? Number(text) : text.replace(BLANK_ZONE, '$1+$2'));
  });
}

/** The identifier of a record, in the path or in the query. */
export function identifierParameter(what: string, example: string) {
  const schema = { ...Text, description: `Identifier of the ${what}, percent-encoded.`, example };
  return parameter(schema, identifier, 'must be given once in the query');
}
