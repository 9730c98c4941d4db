import { CHECKPOINT_PATH } from '../../cluster/checkpoint-transfer.ts';
import { leaderless } from '../../cluster/leader-client.ts';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Settings } from '../../settings.ts';
import { SCOPES } from '../../store/keys.ts';
import { type BlueskyCallers, SEND_INTERACTIONS } from '../bluesky/bluesky-callers.ts';
import { readSigned } from '../ingest/webhook-routes.ts';
import type { Host } from '../transport/host.ts';
import { readUnparsed } from '../transport/read-body.ts';
import { sentPathOf, urlOf } from '../transport/request-url.ts';
import { forwardedTraceparent } from '../transport/traceparent.ts';
import { forwardedHost } from './forwarded-host.ts';
import { peerOf } from './peers.ts';

/** Headers of a request that its answer may depend on. Everything else concerns one connection. */
const SENT_HEADERS = [
  'authorization',
  'x-api-key',
  'content-type',
  'if-match',
  'http-referer',
  'x-title',
  'origin',
] as const;
/** Headers of an answer that its reader needs. The node adds its own. */
const ANSWERED_HEADERS = ['content-type', 'etag', 'retry-after', 'www-authenticate', 'allow'] as const;

/** A delivery to a webhook. Its sender has no key, but signs it. */
const HOOK = /^\/v2\/[^/]+\/hooks\/([^/]+)$/;

/** The only method of XRPC that stores something. */
const INTERACTIONS = `/xrpc/${SEND_INTERACTIONS}`;

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Requests with other methods that add nothing to the log themselves, so that every node answers them. */
const ANSWERED_HERE = [
  /^\/v2\/[^/]+\/(feeds|casts\/feed)\//,
  /^\/v2\/[^/]+\/(impressions|records\/read)$/,
  /^\/v2\/[^/]+\/users\/recommended$/,
  /^\/api\/feed\/(configs|preview)$/,
  /^\/api\/tokens$/,
  /^\/api\/console\/session$/,
  /^\/internal\//,
  new RegExp(`^/xrpc/(?!${RegExp.escape(SEND_INTERACTIONS)}$)`),
];

/** Reads of data, which must reflect what other nodes acknowledged. */
const DATA_READ = /^\/(v2\/|api\/feed\/|api\/experiments|api\/audit$|xrpc\/)/;
/** Reads that see to it themselves, as requests can choose their consistency. */
const OWN_CONSISTENCY = /^\/v2\/[^/]+\/(feeds\/|casts\/|users\/recommended$|users\/[^/]+\/similar$)/;
const SIMILAR_BY_QUERY = /^\/v2\/[^/]+\/users\/similar$/;

/** Route label of forwarded requests in logs and metrics. */
const FORWARDED = 'forwarded';

/** What forwarding needs of the settings, and of the routes for Bluesky. */
export interface Forwarding extends Pick<Settings, 'chain' | 'consistency'> {
  callers: Pick<BlueskyCallers, 'admit'>;
}

/**
 * Lets a node that follows answer every request: writes are forwarded to the leader, and reads of data wait until this
 * node has every acknowledged write.
 * @returns the answer of the leader; undefined if this node answers
 * @throws ServiceError
 */
export async function forwardedAnswer(
  host: Host,
  forwarding: Forwarding,
  request: Request,
): Promise<Response | undefined> {
  const { cluster } = host;
  if (cluster === undefined) return undefined;
  const { chain, consistency } = forwarding;
  const { pathname, search, searchParams } = urlOf(request);
  if (pathname === CHECKPOINT_PATH) return checkpointFile(host, request, searchParams);
  const is_read = READ_METHODS.has(request.method);
  // A node that takes the lead is known as the leader a moment before it leads.
  if (cluster.is_taking && !is_read && host.isForwarded(request)) await cluster.taken(request.signal);
  // Another process may have created the wallets a moment ago.
  if (pathname.startsWith(`/${chain}/`) && host.service.alpha.community === undefined)
    await cluster.checkWallets().catch(() => {});
  if (is_read || ANSWERED_HERE.some((pattern) => pattern.test(pathname))) {
    if (consistency === 'strong' && isDataRead(pathname, searchParams)) await cluster.caughtUp();
    return undefined;
  }
  if (cluster.role === 'leader') return undefined;
  // Another node takes this one for the leader. It must not be sent around.
  if (cluster.to_leader.isPeer(request.headers)) throw leaderless();
  const { body, signed } = await admittedBody(host, forwarding, request, pathname);
  // Acts count for pages that the leader has logged before them.
  await host.service.ingest.shown.flushed();
  const { answer, bytes } = await cluster.to_leader.request({
    method: request.method,
    path: sentPathOf(request) + search,
    headers: sentHeaders(host, request, signed),
    body: body.byteLength === 0 ? undefined : body,
    given_up: request.signal,
  });
  // It is stored, so a failure here must not look like one of the write. The first event creates the wallets.
  if (pathname.startsWith(`/${chain}/`)) await cluster.checkWallets().catch(() => {});
  await cluster.caughtUp().catch(() => {});
  host.requests.finished(request, FORWARDED, answer.status);
  return new Response(bytes, { status: answer.status, headers: picked(answer.headers, ANSWERED_HEADERS) });
}

function isDataRead(pathname: string, query: URLSearchParams): boolean {
  if (!DATA_READ.test(pathname) || OWN_CONSISTENCY.test(pathname)) return false;
  // Without the parameter it reads the record of a user called `similar`.
  return !SIMILAR_BY_QUERY.test(pathname) || !query.has('user_id');
}

/**
 * Reads the body of a request for the leader, as far as this node can tell that the leader will take it: it knows the
 * key, or has verified the signature or token, or the path needs none. The rate limit of the key is applied here, and its
 * scopes are checked by the leader.
 */
async function admittedBody(
  host: Host,
  { chain, callers }: Forwarding,
  request: Request,
  pathname: string,
): Promise<{ body: Uint8Array<ArrayBuffer>; signed: string[] }> {
  const hook = HOOK.exec(pathname);
  if (hook !== null) {
    const { body, header } = await readSigned(host, request, hook[1]);
    return { body, signed: [header] };
  }
  const is_interactions = pathname === INTERACTIONS;
  const is_event = request.method === 'POST' && pathname === `/${chain}/events`;
  const needs_no_key = is_interactions || is_event;
  if (needs_no_key) host.withoutKey(request, is_event ? 'wallet events' : 'reports from Bluesky');
  // The rate limit is that of routes that need a scope. The catalog of tokens and NFTs has none.
  else host.admit(request, { scope: SCOPES, limited: !pathname.startsWith(`/${chain}/`) });
  if (is_interactions) await callers.admit(request, SEND_INTERACTIONS);
  const bytes_max = needs_no_key ? LIMITS.small_body_bytes_max : LIMITS.body_bytes_max;
  return { body: await readUnparsed(request, host.room(request, bytes_max)), signed: [] };
}

async function checkpointFile(host: Host, request: Request, asked: URLSearchParams): Promise<Response> {
  peerOf(host, request);
  const part = asked.get('part') === 'lists' ? 'lists' : 'state';
  const path = await host.service.checkpoints?.current(asked.get('name') ?? '', part);
  const file = path === undefined ? undefined : Bun.file(path);
  if (file === undefined || !(await file.exists()))
    throw new ServiceError('not_found', 'there is no such checkpoint here');
  host.requests.finished(request, CHECKPOINT_PATH, 200);
  return new Response(file);
}

/** The headers of a request for the leader, whose spans belong to the trace of the request. */
function sentHeaders(host: Host, request: Request, more: readonly string[] = []): Record<string, string> {
  const { headers } = request;
  return {
    ...picked(headers, [...SENT_HEADERS, ...more]),
    ...forwardedHost(request),
    ...forwardedTraceparent(host, headers),
  };
}

function picked(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
