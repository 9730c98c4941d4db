import { sentPathOf } from './request-url.ts';

/**
 * Removes a prefix from the path of a request. A path without the prefix is unchanged.
 *
 * The request is changed in place, because its connection and its end are found by object identity.
 */
export function takeOffPrefix(request: Request, prefix: string): void {
  const path = sentPathOf(request);
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return;
  const { url } = request;
  const start = url.indexOf(path, url.indexOf('//') + 2);
  const rest = url.slice(start + prefix.length);
  const value = url.slice(0, start) + (rest.startsWith('/') ? rest : `/${rest}`);
  Object.defineProperty(request, 'url', { value });
}
