/** Stands in where a client names no host, or none that can be one. */
const NO_HOST = 'http://host';
const ORIGIN = /^\w+:\/\/[^/?]*/;

/** The URL of a request; its path is the one that was asked for, whatever the client says of its host. */
export function urlOf({ url }: Pick<Request, 'url'>): URL {
  return URL.parse(url) ?? URL.parse(url.replace(ORIGIN, ''), NO_HOST) ?? new URL(NO_HOST);
}

/** The path of a request as it was sent: `..`, double slashes and percent-encoding stand as they are. */
export function sentPathOf({ url }: Pick<Request, 'url'>): string {
  return url.replace(ORIGIN, '').split(/[?#]/, 1)[0];
}
