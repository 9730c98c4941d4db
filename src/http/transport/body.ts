import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { invalidValue } from '../../errors.ts';
import { listedWarnings } from '../../ingest/outcome.ts';
import { LIMITS } from '../../limits.ts';
import { isPlainObject, Reduced, Refusal, refuse, whole } from '../../model/values/refusal.ts';
import type { ValueType } from '../../model/values/values.ts';
import type { Example } from '../openapi/schema.ts';
import { named } from '../openapi/schema.ts';
import { type BodyForm, json, recordList } from './read-body.ts';

export interface BodyDocs {
  description: string;
  required?: boolean;
  /** Named examples. They work unchanged against the demo community. */
  examples: Record<string, Example>;
  /** An example of one JSON record per line, for routes that accept this form too. */
  lines?: string;
}

/** What signs a body whose sender has no key. */
export interface Signature {
  /** The configured webhook that the body is delivered to. */
  webhook: string;
  header: string;
  /** @throws ServiceError `unauthorized` */
  verify(body: Uint8Array): void;
}

interface CheckedBody<B> {
  value: B;
  /** What was ignored or dropped. */
  warnings: readonly string[];
}

/**
 * The body of a route: how much of it is read, how it is parsed and checked, and how it is documented.
 * @template B the checked value
 * @template C what the check needs to know of the request
 */
export interface Body<B, C> {
  schema: TSchema;
  docs: BodyDocs;
  bytes_max: number;
  form: BodyForm;
  /** Undefined: a body needs no signature. */
  signature?(context: C): Signature;
  /** @param given undefined for an empty body. @throws ServiceError `invalid_value` with every fault */
  check(given: unknown, context: C): CheckedBody<B>;
}

type Reading = Pick<Body<unknown, unknown>, 'docs'> &
  Partial<Pick<Body<unknown, unknown>, 'bytes_max' | 'form'>>;

const SMALL = { bytes_max: LIMITS.feed_body_bytes_max, form: json };

/** A body of a type of values. An empty one is an object without fields. */
export function bodyOf<T>(type: ValueType<T>, reading: Reading): Body<T, unknown> {
  const { schema } = type;
  const shown = schema.title === undefined ? schema : named(schema.title, schema);
  return { ...SMALL, ...reading, schema: shown, check: (given) => checkedBody(type, given) };
}

/** A body that another room checks. */
export function checkedBy<B, C>(schema: TSchema, reading: Reading, check: Body<B, C>['check']): Body<B, C> {
  return { ...SMALL, ...reading, schema, check };
}

/** @throws ServiceError `invalid_value` with every fault */
export function checkedBody<T>({ check }: Pick<ValueType<T>, 'check'>, given: unknown): CheckedBody<T> {
  const checked = check(given ?? {});
  const value = whole(checked);
  if (value instanceof Refusal) throw invalidValue([...value.faults]);
  return { value, warnings: checked instanceof Reduced ? listedWarnings(checked.warnings) : [] };
}

/** @throws ServiceError `invalid_value` if a body is not a JSON object */
export function objectIn(given: unknown): Record<string, unknown> {
  if (isPlainObject(given)) return given;
  throw invalidValue([...refuse('must be a JSON object').faults]);
}

/**
 * One record, an array of records, or one record per line. They are checked one by one, so that a bad one does not refuse
 * the others.
 * @param examples of records
 */
export function recordsBody(record: TSchema, one: unknown, another?: unknown): Body<unknown[], unknown> {
  const several = Type.Array(record, {
    maxItems: LIMITS.ingest_records_max,
    description: 'Up to 10,000 records.',
  });
  return {
    schema: Type.Union([record, several]),
    docs: {
      description: 'One record, an array of up to 10,000 records, or one record per line. At most 16 MiB.',
      examples: {
        one: { summary: 'One record', value: one },
        several: { summary: 'An array of records', value: another === undefined ? [one] : [one, another] },
      },
      lines: `${JSON.stringify(another ?? one)}\n`,
    },
    bytes_max: LIMITS.body_bytes_max,
    form: recordList,
    check: (given) => ({ value: Array.isArray(given) ? given : [given], warnings: [] }),
  };
}

/** A body of another node, which is not documented. */
export function schemaBody<S extends TSchema>(schema: S): Body<Static<S>, unknown> {
  const validator = TypeCompiler.Compile(schema);
  return {
    ...SMALL,
    schema,
    docs: { description: '', examples: {} },
    check(given) {
      if (validator.Check(given)) return { value: given, warnings: [] };
      const faults = [...validator.Errors(given)].slice(0, LIMITS.faults_listed_max);
      throw invalidValue(faults.map(({ path, message }) => ({ path, message })));
    },
  };
}
