import { leaderless } from '../../cluster/leader-client.ts';
import type { ClusterNode } from '../../cluster/node.ts';
import type { Service } from '../../service.ts';
import type { Signature } from '../transport/body.ts';
import type { Host } from '../transport/host.ts';
import { sentPathOf, urlOf } from '../transport/request-url.ts';
import type { Head, Route } from '../transport/route.ts';
import { forwardedTraceparent } from '../transport/traceparent.ts';
import { Written } from '../transport/written-answer.ts';
import { forwardedHost } from './forwarded-host.ts';

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

/** Route label of forwarded requests in logs and metrics. */
export const FORWARDED = 'forwarded';

/** The answer of another node. */
export class Forwarded extends Written {}

/**
 * Prepares a node for a request as `answered_by` of its route requires: waits until the node has every acknowledged
 * write, or until it leads if it is about to.
 * @returns whether the node answers the request, or forwards it to the leader
 * @throws ServiceError `store_unavailable`
 */
export async function prepareNode(
  cluster: ClusterNode,
  service: Service,
  { answered_by, of_wallets }: Pick<Route, 'answered_by' | 'of_wallets'>,
  request: Request,
): Promise<'answer' | 'forward'> {
  // Another process may have created the wallets a moment ago.
  if (of_wallets && service.alpha.community === undefined) await cluster.checkWallets().catch(() => {});
  const by = typeof answered_by === 'string' ? answered_by : answered_by(request);
  if (by === 'current' && service.settings.consistency === 'strong') await cluster.caughtUp();
  if (by !== 'leader') return 'answer';
  // A node that takes the lead is known as the leader a moment before it leads.
  if (cluster.is_taking && cluster.to_leader.isPeer(request.headers)) await cluster.taken(request.signal);
  if (cluster.role === 'leader') return 'answer';
  // Another node takes this one for the leader. It must not be sent around.
  if (cluster.to_leader.isPeer(request.headers)) throw leaderless();
  return 'forward';
}

interface Sent {
  request: Request;
  set: Head;
  /** The body, which this node has admitted as the leader will: so strangers cannot send bodies through it. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  signature: Signature | undefined;
}

/** The answer of the leader, once this node has what the leader has stored. @throws ServiceError `store_unavailable` */
export async function forwardedAnswer(
  cluster: ClusterNode,
  service: Service,
  host: Host,
  { of_wallets }: Pick<Route, 'of_wallets'>,
  { request, set, bytes, signature }: Sent,
): Promise<Forwarded> {
  // Acts count for pages that the leader has logged before them.
  await service.ingest.shown.flushed();
  const { answer, bytes: answered } = await cluster.to_leader.request({
    method: request.method,
    path: sentPathOf(request) + urlOf(request).search,
    headers: sentHeaders(host, request, signature),
    body: bytes === undefined || bytes.byteLength === 0 ? undefined : bytes,
    given_up: request.signal,
  });
  // It is stored, so a failure here must not look like one of the write. The first event creates the wallets.
  if (of_wallets) await cluster.checkWallets().catch(() => {});
  await cluster.caughtUp().catch(() => {});
  set.status = answer.status;
  Object.assign(set.headers, picked(answer.headers, ANSWERED_HEADERS));
  return new Forwarded(answered);
}

/** The headers of a request for the leader, whose spans belong to the trace of the request. */
function sentHeaders(host: Host, request: Request, signature: Signature | undefined): Record<string, string> {
  const { headers } = request;
  return {
    ...picked(headers, signature === undefined ? SENT_HEADERS : [...SENT_HEADERS, signature.header]),
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
