import { isPeer } from '../../cluster/leader-client.ts';

/**
 * The host that a client asked, in a header of its own: a proxy before the leader may choose the server by `Host`.
 *
 * The Bluesky identity of a service may be this host.
 */
const HEADER = 'x-feedloom-host';

/** The header that carries the host of a client's request to the leader. */
export function forwardedHost({ headers }: Pick<Request, 'headers'>): Record<string, string> {
  const host = headers.get('host');
  return host === null ? {} : { [HEADER]: host };
}

/** Gives a request of another node the host that the client asked. Other requests are unchanged. */
export function restoreHost({ headers }: Pick<Request, 'headers'>, secret: string): void {
  const host = headers.get(HEADER);
  if (host !== null && isPeer(headers, secret)) headers.set('host', host);
}
