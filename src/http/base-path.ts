import { sentPathOf } from './request-url.ts';

/**
 * Takes a prefix off the path of a request; a path without it stays as it is. The request stays the same object, because
 * its connection and its end are known by it.
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
