import { unescape as decoded } from 'node:querystring';

/** Placeholder when a client sends no valid host. */
const NO_HOST = 'http://host';
const ORIGIN = /^\w+:\/\/[^/?]*/;

/** The URL of a request. Its path is the requested path, whatever host the client sent. */
export function urlOf({ url }: Pick<Request, 'url'>): URL {
  return URL.parse(url) ?? URL.parse(url.replace(ORIGIN, ''), NO_HOST) ?? new URL(NO_HOST);
}

/** The path of a request as it was sent: `..`, double slashes and percent-encoding are not resolved. */
export function sentPathOf({ url }: Pick<Request, 'url'>): string {
  return url.replace(ORIGIN, '').split(/[?#]/, 1)[0];
}

/** The parameters of the route's path, which the runtime adds to requests. */
type Routed = Pick<Request, 'url'> & { params?: Readonly<Record<string, string>> };

/**
 * Whether the URL of a request has the path that was sent.
 *
 * The runtime chooses the route by the path that was sent, and then resolves `.`, `..` and backslashes in the URL. So the
 * URL of a user called `..` has another path. Bytes that are no text become U+FFFD in parameters only.
 */
export function hasSentPath(request: Routed): boolean {
  const segments = urlOf(request)
    .pathname.split('/')
    .map((segment) => decoded(segment));
  return Object.values(request.params ?? {}).every(
    (value) => segments.includes(value) && !value.includes('\uFFFD'),
  );
}
