import { forwardedAnswer, prepareNode } from '../nodes/forwarding.ts';
import type { Body, Signature } from './body.ts';
import type { Host } from './host.ts';
import { anyRevision, ifMatch } from './if-match.ts';
import { type Parameters, parametersIn, percentDecoded, readParameters, unknownIn } from './parameters.ts';
import { mediaType, readBody } from './read-body.ts';
import { urlOf } from './request-url.ts';
import type { Context, Head, Route } from './route.ts';
import type { Written } from './written-answer.ts';

/** A request as Elysia has routed it. */
interface Routed {
  request: Request;
  params: Readonly<Record<string, string>>;
  set: Head;
}

type Entered = { context: Context<object, Parameters, Parameters, unknown> } | { answer: Written };

const NOTHING = {};
const NONE: readonly string[] = [];
const NO_BODY = { value: undefined, warnings: NONE };

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
  const { cluster } = host;
  const forwards = cluster !== undefined && (await prepareNode(cluster, host, route, request)) === 'forward';
  const signature = route.body?.signature?.(identity);
  const bytes = route.body === undefined ? undefined : await bytesOf(route.body, host, request, signature);
  if (forwards)
    return { answer: await forwardedAnswer(cluster, host, route, { request, set, bytes, signature }) };
  const sent =
    route.body === undefined || bytes === undefined
      ? undefined
      : await route.body.form(bytes, mediaType(request));
  const { pathname, search } = urlOf(request);
  const given = search === '' ? NOTHING : parametersIn(search);
  const in_path =
    route.params === undefined ? NOTHING : readParameters(route.params, decoded(params, pathname));
  const query: Record<string, unknown> =
    route.query === undefined ? NOTHING : readParameters(route.query, given, route.is_query_closed);
  const id = route.id_from === undefined ? NOTHING : { id: query[route.id_from] };
  const known = { ...identity, host, params: { ...in_path, ...id } };
  const { value: body, warnings } = route.body?.check(sent, known) ?? NO_BODY;
  if (route.documented?.answer.status === 201) set.status = 201;
  const context = {
    ...known,
    request,
    given_up: request.signal,
    set,
    query,
    unknown_parameters: search === '' ? NONE : unknownIn(route.query ?? NOTHING, given),
    body,
    warnings,
    precondition: route.if_match ? ifMatch(request.headers) : anyRevision,
  };
  return { context };
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
function decoded(params: Readonly<Record<string, string>>, pathname: string): Record<string, string | null> {
  if (percentDecoded(pathname) !== null) return params;
  return Object.fromEntries(Object.keys(params).map((name) => [name, null]));
}
