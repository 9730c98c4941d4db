import type { Operations } from './schema.ts';

/** Types of one call, from the table of operations. */

type MethodOf<Operation> = Operation extends `${infer Method} ${string}` ? Method : never;

/** Paths that have an operation with this method, with `{network}` and `{chain}` as placeholders. */
export type PathOf<M extends Method> = keyof Operations extends infer Operation
  ? Operation extends `${M} ${infer Path}`
    ? Path
    : never
  : never;

export type Method = MethodOf<keyof Operations>;

type OperationOf<M extends Method, P extends PathOf<M>> = `${M} ${P}` extends keyof Operations
  ? Operations[`${M} ${P}`]
  : never;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, also while it waits before a retry. The call rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** What a call sends: `path`, `query`, `headers` and `body`, as far as the operation has them. */
export type InputOf<M extends Method, P extends PathOf<M>> = Omit<OperationOf<M, P>, 'answer'> & CallOptions;

/** The input may be left out if nothing in it is required. */
export type InputArguments<Input> = object extends Input ? [input?: Input] : [input: Input];

export type BodyOf<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { body?: infer Body } ? NonNullable<Body> : never;

export type QueryOf<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { query?: infer Query } ? NonNullable<Query> : never;

export type AnswerOf<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { answer: infer Answer } ? Answer : never;

/** The same without its types. */
export interface Input extends CallOptions {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, unknown>>;
  body?: unknown;
}
