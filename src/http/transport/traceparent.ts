import type { Host } from './host.ts';

const HEADER = 'traceparent';

/**
 * The `traceparent` of a request whose sender may decide that it is traced: it has a key, or is another node. The others
 * are sampled at the rate of this service, because anyone could have every request traced otherwise.
 */
export function traceparentOf(host: Host, headers: Headers): string | null {
  const sent = headers.get(HEADER);
  return sent !== null && host.trusts(headers) ? sent : null;
}

/** The `traceparent` of a request that this node sends to the leader on behalf of a client. */
export function forwardedTraceparent(host: Host, headers: Headers): Record<string, string> {
  const { tracer } = host;
  const traceparent = tracer?.ofRequest()?.traceparent ?? traceparentOf(host, headers);
  return traceparent === null ? {} : { [HEADER]: traceparent };
}
