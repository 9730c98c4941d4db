import { type TSchema, Type } from '@sinclair/typebox';
import { type Fault, invalidValue, pointerSegment } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { identifier } from '../../model/values/checks.ts';
import { type Check, type FieldCheck, Refusal, refuse, whole } from '../../model/values/refusal.ts';
import { Text, Time } from '../../model/values/schema-parts.ts';
import { seconds } from '../../model/values/time.ts';
import * as type from '../../model/values/values.ts';

const UNDECODABLE = 'is not percent-encoded UTF-8';
const ONCE = 'must have a value, and be given once';

/** A parameter of a path or query: the text of a URL becomes a value. */
export interface Parameter<T> {
  schema: TSchema;
  is_required: boolean;
  /** Gets the text, null for text that cannot be decoded, undefined without one, and a list if it is repeated. */
  check: Check<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type ValuesOf<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** The parameters of a query by name, as `Parameter` describes. */
export function parametersIn(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const pair of search.slice(1).split('&')) {
    const [key, ...rest] = pair.split('=');
    const name = percentDecoded(key);
    if (pair === '' || name === null) continue;
    const value = percentDecoded(rest.join('='));
    query[name] = Object.hasOwn(query, name) ? [query[name], value] : value;
  }
  return query;
}

/** Decodes a part of a URL, in which `+` is a blank. Null for text that cannot be decoded. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/**
 * Checks the parameters of a path or a query.
 * @param is_closed refuses parameters with other names
 * @throws ServiceError `invalid_value` with every fault
 */
export function readParameters<P extends Parameters>(
  parameters: P,
  given: Record<string, unknown>,
  is_closed = false,
): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [name, { check }] of Object.entries(parameters)) {
    const value = check(Object.hasOwn(given, name) ? given[name] : undefined);
    if (!(value instanceof Refusal)) values[name] = value;
    else for (const { path, message } of value.faults) faults.push({ path: `/${name}${path}`, message });
  }
  if (is_closed) {
    const message = `is not known here; known are ${Object.keys(parameters).join(', ')}`;
    for (const name of unknownIn(parameters, given))
      faults.push({ path: `/${pointerSegment(name)}`, message });
  }
  if (faults.length > 0) throw invalidValue(faults.slice(0, LIMITS.faults_listed_max));
  // Safe: each value passed the check of its parameter.
  return values as ValuesOf<P>;
}

export function unknownIn(parameters: Parameters, given: Record<string, unknown>): string[] {
  return Object.keys(given).filter((name) => !Object.hasOwn(parameters, name));
}

/**
 * A parameter that must be given, once.
 * @param check gets the text
 * @param missing the fault of a parameter that is absent or empty
 * @param repeated the fault of a parameter that is repeated
 */
export function parameter<T>(
  schema: TSchema,
  check: FieldCheck<T>,
  missing = ONCE,
  repeated = missing,
): Parameter<T> {
  return {
    schema,
    is_required: true,
    check: (value) => {
      if (value === null) return refuse(UNDECODABLE);
      if (value === undefined || value === '') return refuse(missing);
      return Array.isArray(value) ? refuse(repeated) : whole(check(value));
    },
  };
}

/** The same parameter, which may be absent. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return withDefault(parameter, undefined);
}

function withDefault<T, D>({ schema, check }: Parameter<T>, absent: D): Parameter<T | D> {
  return {
    schema,
    is_required: false,
    check: (value) => (value === undefined ? absent : check(value)),
  };
}

/** An integer in decimal digits; `absent` without one. */
export function integerParameter(
  { min, max, absent }: Record<'min' | 'max' | 'absent', number>,
  description: string,
  once?: string,
): Parameter<number> {
  const shown = { description: `${description} Default ${absent}.`, example: absent };
  const schema = Type.Integer({ minimum: min, maximum: max, default: absent, ...shown });
  return withDefault(parameter(schema, digitsWithin(min, max), once), absent);
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
): Parameter<T> {
  const { schema, check } = type.word(words);
  const required = parameter({ ...schema, description, ...shown }, check, missing);
  return shown.default === undefined ? required : withDefault(required, shown.default);
}

/** `true` or `false`; false when absent. */
export function flagParameter(description: string): Parameter<boolean> {
  const shown = { description: `${description} Default false.`, example: false };
  const flag = parameter<boolean>(Type.Boolean({ default: false, ...shown }), (value) => {
    const text = String(value);
    return text === 'true' || text === 'false' ? text === 'true' : refuse('must be true or false');
  });
  return withDefault(flag, false);
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** A time zone whose `+` was not percent-encoded and so became a blank. */
const BLANK_ZONE = /(:\d\d(?:\.\d+)?) (\d\d(?::?\d\d)?)$/;

/** A time in seconds, in the forms that records allow. */
export function timeParameter(description: string, example?: number): Parameter<number> {
  const shown = { description, ...(example === undefined ? {} : { example }) };
  return parameter(Type.Unsafe({ ...Time, ...shown }), (value) => {
    const text = String(value);
    return seconds(NUMBER.test(text) ? Number(text) : text.replace(BLANK_ZONE, '$1+$2'));
  });
}

/** The identifier of a record, in the path or in the query. */
export function identifierParameter(what: string, example: string): Parameter<string> {
  const schema = { ...Text, description: `Identifier of the ${what}, percent-encoded.`, example };
  return parameter(schema, identifier, 'must be given once in the query');
}
