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
