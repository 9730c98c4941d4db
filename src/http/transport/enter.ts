import { invalidValue } from '../../errors.ts';
import { forwardedAnswer, prepareNode } from '../nodes/forwarding.ts';
import type { Body, Signature } from './body.ts';
import { anyRevision, ifMatch } from './etag.ts';
import type { Host } from './host.ts';
import { type Parameters, parametersIn, percentDecoded, readParameters, unknownIn } from './parameters.ts';
import { mediaType, readBody } from './read-body.ts';
import { urlOf } from './request-url.ts';
import type { Context, Head, Route } from './route.ts';
import type { Written } from './written-answer.ts';

/** Texts in the path by name. */
type Texts = Readonly<Record<string, string>>;

/** A request as Elysia has routed it. */
interface Routed {
  request: Request;
  params: Texts;
  set: Head;
}

type Entered = { context: Context<object, Parameters, Parameters, unknown> } | { answer: Written };

const NOTHING = {};
const NONE: readonly string[] = [];

/**
 * What happens to each request before it is handled: it is admitted, then its body is read, then its parameters and its
 * body are checked. So only callers with a key can send a body, and learn faults.
 * @returns what the handler gets, or the answer of the leader
 * @throws ServiceError
 */
export async function enter(route: Route, host: Host, { request, params, set }: Routed): Promise<Entered> {
  if (route.headers !== undefined) Object.assign(set.headers, route.headers);
  const admitted = route.admit.admit(host, request, params);
  // Most are admitted at once: the time that a body may take begins when its request has arrived.
  const identity = admitted instanceof Promise ? await admitted : admitted;
  // By now the host may have the next service, or none.
  const { service } = identity;
  const cluster = service?.cluster;
  const forwards =
    service !== undefined &&
    cluster !== undefined &&
    (await prepareNode(cluster, service, route, request)) === 'forward';
  const signature = route.body?.signature?.(identity);
  const bytes = route.body === undefined ? undefined : await bytesOf(route.body, host, request, signature);
  if (forwards)
    return {
      answer: await forwardedAnswer(cluster, service, host, route, { request, set, bytes, signature }),
    };
  const parameters = parametersOf(route, request, params);
  const sent = bytes === undefined ? undefined : await route.body?.form(bytes, mediaType(request));
  const context = {
    ...identity,
    ...parameters,
    host,
    request,
    given_up: request.signal,
    set,
    body: undefined as unknown,
    warnings: NONE,
    precondition: route.if_match ? ifMatch(request.headers) : anyRevision,
  };
  if (route.body !== undefined) {
    const { value, warnings } = route.body.check(sent, context);
    context.body = value;
    context.warnings = warnings;
  }
  if (route.documented?.answer.status === 201) set.status = 201;
  return { context };
}

/** The checked parameters of the path and of the query. @throws ServiceError `invalid_value` */
function parametersOf(
  { method, params, query, id_from, is_query_closed }: Route,
  request: Request,
  texts: Texts,
) {
  const { pathname, search } = urlOf(request);
  const in_path = params === undefined ? NOTHING : readParameters(params, decoded(texts, pathname));
  const given = search === '' ? NOTHING : parametersIn(search);
  const in_query: Record<string, unknown> =
    query === undefined ? NOTHING : readParameters(query, given, is_query_closed);
  const unknown_parameters = search === '' ? NONE : unknownIn(query ?? NOTHING, given);
  if (method !== 'GET' && unknown_parameters.includes('dry_run'))
    throw invalidValue([{ path: '/dry_run', message: 'is not known here: this would not be a dry run' }]);
  return {
    params: id_from === undefined ? in_path : { ...in_path, id: in_query[id_from] },
    query: in_query,
    unknown_parameters,
  };
}

/** The bytes of a body, within the limits of its size, of the memory for bodies and of time. */
async function bytesOf(
  { bytes_max }: Pick<Body<unknown, unknown>, 'bytes_max'>,
  host: Host,
  request: Request,
  signature: Signature | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBody(request, host.room(request, bytes_max, signature?.webhook));
  signature?.verify(bytes);
  return bytes;
}

/** Texts in the path; null if they are not percent-encoded UTF-8. Elysia repairs them, which could name another user. */
function decoded(params: Texts, pathname: string): Record<string, string | null> {
  if (percentDecoded(pathname) !== null) return params;
  return Object.fromEntries(Object.keys(params).map((name) => [name, null]));
}
