import type { Static, TSchema } from '@sinclair/typebox';
import type { Streamed } from './streamed-answers.ts';
import type { Written } from './written-answer.ts';

/**
 * What a route answers when it succeeds. The document shows the schema; the compiler checks that the handler returns it.
 * @template A what the handler returns
 */
export interface Answer<A> {
  schema: TSchema;
  status: 200 | 201;
  /** The revision of the object in it, which is sent as the ETag. */
  revisionOf?(answer: A): number;
  /** Only for its type. */
  returns?: A;
}

/** A value of a schema that is only read. */
type Sent<T> = T extends readonly (infer Entry)[]
  ? readonly Sent<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Sent<T[Name]> }
    : T;

/** A JSON value. */
export function json<S extends TSchema>(schema: S): Answer<Sent<Static<S>>> {
  return { schema, status: 200 };
}

interface Revised {
  readonly data: { readonly revision: number };
}

/** A saved object, with its revision as the ETag. @param status 201 if it is new */
export function revised<S extends TSchema>(
  schema: S,
  status: 200 | 201 = 200,
): Answer<Sent<Static<S>> & Revised> {
  return { schema, status, revisionOf: ({ data }) => data.revision };
}

/** A text of this form that the handler has written. */
export function written(schema: TSchema): Answer<Written> {
  return { schema, status: 200 };
}

/** A text of this form that is written while it is sent. */
export function streamed(schema: TSchema): Answer<Streamed> {
  return { schema, status: 200 };
}

/** The `warnings` of an answer; absent when there are none. */
export function warned(warnings: readonly string[]): { warnings?: string[] } {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

/** The answer to a request that was carried out. */
export function success<T extends object>(done: T, warnings: readonly string[] = []) {
  return { status: 'success' as const, ...done, ...warned(warnings) };
}

/** Headers of answers with secrets, which caches must not store. */
export const NOT_STORED = { 'cache-control': 'no-store' } as const;
