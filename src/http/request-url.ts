import { invalidValue, ServiceError } from '../errors.ts';

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

/**
 * Validates an identifier of a path. The router has decoded it, with U+FFFD or null for what it could not decode.
 * @throws ServiceError `invalid_value`
 */
export function inPath(request: Pick<Request, 'url'>, id: string | null): string {
  if (id !== null && (!id.includes('\ufffd') || percentDecoded(urlOf(request).pathname) !== undefined))
    return id;
  throw new ServiceError('invalid_value', 'the identifier in the path is not percent-encoded UTF-8');
}

/**
 * Reads a query parameter that must be present exactly once.
 *
 * Text that is not percent-encoded UTF-8 is refused, not repaired: the repaired text might name another user.
 * @throws ServiceError `invalid_value`
 */
export function onceInQuery(request: Pick<Request, 'url'>, name: string): string {
  const value = optionalInQuery(request, name, 'must be given once in the query');
  if (value === undefined) throw wrongParameter(name, 'must be given once in the query');
  return value;
}

/**
 * Reads a query parameter that may be present once; undefined when absent.
 * @throws ServiceError `invalid_value`
 */
export function optionalInQuery(
  request: Pick<Request, 'url'>,
  name: string,
  once = 'must have a value, and be given once',
): string | undefined {
  const pairs = urlOf(request).search.slice(1).split('&');
  const values = pairs.flatMap((pair) => {
    const [key, ...value] = pair.split('=');
    return percentDecoded(key) === name ? [value.join('=')] : [];
  });
  const [value] = values;
  if (values.length === 0) return undefined;
  if (values.length !== 1 || value === '') throw wrongParameter(name, once);
  const decoded = percentDecoded(value);
  if (decoded === undefined) throw wrongParameter(name, 'is not percent-encoded UTF-8');
  return decoded;
}

/**
 * Reads an integer query parameter.
 * @throws ServiceError `invalid_value`
 */
export function integerInQuery(
  request: Pick<Request, 'url'>,
  name: string,
  { min, max, absent }: { min: number; max: number; absent: number },
): number {
  const text = optionalInQuery(request, name);
  if (text === undefined) return absent;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw wrongParameter(name, `expected an integer from ${min} to ${max}`);
}

/** The error for an invalid query parameter. */
export function wrongParameter(name: string, message: string) {
  return invalidValue([{ path: `/${name}`, message }]);
}

/** Decodes a part of a query, in which `+` is a blank. Undefined for text that cannot be decoded. */
function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
