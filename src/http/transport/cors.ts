/** Stands for every origin. */
const ANY_ORIGIN = '*';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/**
 * Request headers to allow, in addition to those that browsers always allow. Pages with tracing add the last three to every
 * request, whether the service reads them or not.
 */
const REQUEST_HEADERS =
  'authorization, content-type, x-api-key, if-match, http-referer, x-title, x-feedloom-viewer, traceparent, tracestate, baggage';
const ANSWER_HEADERS = 'x-request-id, etag, retry-after, allow, traceparent';
/** Seconds for which browsers may cache a preflight. They cap it at two hours or less. */
const PREFLIGHT_SECONDS = 7_200;

type Headers = Record<string, string | number>;

/**
 * Cross-origin resource sharing (Fetch standard, 3.3): tells browsers which pages may call the service.
 *
 * Keys travel in headers that pages set themselves, so credentials (cookies) are never allowed. Elysia's own plugin would
 * answer 204 to every OPTIONS, also of origins that are not listed, and send `Vary: *`, which no cache may store.
 */
export class Cors {
  private readonly origins: ReadonlySet<string>;

  /** @param origins origins as browsers send them, or `*` alone. Empty: no headers are sent. */
  constructor(origins: readonly string[] = []) {
    this.origins = new Set(origins);
  }

  /** CORS headers of every answer to this request. */
  headersFor(request: Request): Headers {
    if (this.origins.size === 0) return {};
    const allowed = this.allowedFor(request);
    // A cache must not serve one origin's answer to another.
    const vary: Headers = this.origins.has(ANY_ORIGIN) ? {} : { vary: 'Origin' };
    if (allowed === undefined) return vary;
    return {
      ...vary,
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': ANSWER_HEADERS,
    };
  }

  /** Further headers of a preflight answer. Undefined for other requests and for origins that are not allowed. */
  preflight(request: Request): Headers | undefined {
    if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method'))
      return undefined;
    if (this.allowedFor(request) === undefined) return undefined;
    return {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    };
  }

  private allowedFor({ headers }: Request): string | undefined {
    const origin = headers.get('origin');
    if (origin === null) return undefined;
    if (this.origins.has(ANY_ORIGIN)) return ANY_ORIGIN;
    return this.origins.has(origin) ? origin : undefined;
  }
}
