import type { Context as ElysiaContext } from 'elysia';
import type { Precondition } from '../../feeds/saved-feeds.ts';
import type { Admission, Admitted } from '../identity/admissions.ts';
import { byQuery, type OperationDocs } from '../openapi/docs.ts';
import type { Answer } from './answers.ts';
import type { Body } from './body.ts';
import type { Host } from './host.ts';
import type { Parameters, ValuesOf } from './parameters.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Which node of a cluster answers:
 * - `any`: each, with what it knows
 * - `current`: each, once it knows every acknowledged write, unless the setting `consistency` is `eventual`
 * - `leader`: a node that follows forwards the request to the leader
 */
export type AnsweredBy = 'any' | 'current' | 'leader';

/** Status and headers of the answer. */
export type Head = ElysiaContext['set'];

/** What a handler gets beside the identity of the sender. */
interface Given<P extends Parameters, Q extends Parameters, B> {
  host: Host;
  request: Request;
  /** Aborted when the client disconnects. */
  given_up: AbortSignal;
  set: Head;
  params: ValuesOf<P>;
  query: ValuesOf<Q>;
  /** Names of parameters of the query that the route does not have. */
  unknown_parameters: readonly string[];
  body: B;
  /** What was ignored or dropped of the body. */
  warnings: readonly string[];
  /** By `If-Match`. */
  precondition: Precondition;
}

/** @template I the identity that the admission gives */
export type Context<I, P extends Parameters, Q extends Parameters, B> = I & Given<P, Q, B>;

/** What holds for requests to a route, before they are handled. */
interface Rules<I extends Admitted, P extends Parameters, Q extends Parameters, B> {
  /** Who may send it. Nothing else of a request is read before. */
  admit: Admission<I>;
  answered_by: AnsweredBy;
  /** Whether it is about tokens and NFTs, whose community exists from the first record on. */
  of_wallets?: true;
  params?: P;
  query?: Q;
  /** Unknown parameters of the query are refused. */
  is_query_closed?: true;
  body?: Body<B, NoInfer<I> & { host: Host; params: ValuesOf<NoInfer<P>> }>;
  /** The header `If-Match` is read. */
  if_match?: true;
  /** Headers of its answers, also of errors. */
  headers?: Readonly<Record<string, string>>;
}

interface Documented<A> {
  answer: Answer<A>;
  docs: OperationDocs;
}

/** A route as it is defined. Its handler must return what the answer documents. */
export type Definition<I extends Admitted, P extends Parameters, Q extends Parameters, B, A> = Rules<
  I,
  P,
  Q,
  B
> &
  Documented<A> & { handle(context: Context<I, P, Q, B>): NoInfer<A> | Promise<NoInfer<A>> };

/** A route of the application, whatever its types. */
export interface Route {
  method: Method;
  path: string;
  admit: Admission<Admitted>;
  /** A function: it depends on the parameters of the query. */
  answered_by: AnsweredBy | ((request: Request) => AnsweredBy);
  of_wallets?: true;
  params?: Parameters;
  query?: Parameters;
  /** The parameter of the query that handlers get as `params.id`. */
  id_from?: string;
  is_query_closed?: true;
  body?: AnyBody;
  if_match?: true;
  headers?: Readonly<Record<string, string>>;
  /** Undefined: the document does not show it. */
  documented?: Documented<unknown>;
  handle(context: Context<object, Parameters, Parameters, unknown>): unknown;
}

interface AnyBody extends Omit<Body<unknown, object>, 'check' | 'signature'> {
  check(given: unknown, context: object): { value: unknown; warnings: readonly string[] };
  signature?(context: object): ReturnType<NonNullable<Body<unknown, object>['signature']>>;
}

/** Defines a route, and types its handler by what it admits and reads. */
export function route<
  I extends Admitted,
  A,
  P extends Parameters = Record<never, never>,
  Q extends Parameters = Record<never, never>,
  B = undefined,
>(method: Method, path: string, { answer, docs, ...rest }: Definition<I, P, Q, B, A>): Route {
  return { method, path, documented: { answer, docs }, ...rest };
}

/** Defines a route that the document does not show, such as a page. */
export function hiddenRoute<
  I extends Admitted,
  P extends Parameters = Record<never, never>,
  Q extends Parameters = Record<never, never>,
  B = undefined,
>(
  method: Method,
  path: string,
  rules: Rules<I, P, Q, B> & { handle(context: Context<I, P, Q, B>): unknown },
): Route {
  return { method, path, ...rules };
}

/**
 * A route with an identifier in its path, and the same with the identifier in the query, for identifiers that a path
 * cannot carry: `PUT /users/:id/follows` and `PUT /users/follows?user_id=`.
 * @param name of the parameter of the query
 */
export function withTwin(name: string, by_path: Route): [Route, Route] {
  const { path, params, query, documented } = by_path;
  const { id, ...others } = params ?? {};
  const by_query = {
    ...by_path,
    path: path.replace('/:id', ''),
    params: others,
    id_from: name,
    query: { [name]: id, ...query },
    documented: documented && { ...documented, docs: byQuery(documented.docs) },
  };
  return [by_path, by_query];
}
