import { Type } from '@sinclair/typebox';
import { ANYONE } from '../identity/admissions.ts';
import { type Parameter, parameter } from './parameters.ts';
import { urlOf } from './request-url.ts';
import { type Context, hiddenRoute, type Route } from './route.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const STYLES_TYPE = 'text/css; charset=utf-8';

/**
 * The content security policy of pages, which send no forms and are in no frames of other pages, as headers.
 * @param sources what else they may load, by directive
 */
export function pagePolicy(...sources: string[]): Record<string, string> {
  const rest = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return { 'content-security-policy': ["default-src 'none'", ...sources, ...rest].join('; ') };
}

/** The last segment of some paths. */
const NAME = { name: parameter<string>(Type.String(), String) };

type Page = (
  context: Context<object, { name: Parameter<string> }, Record<never, never>, undefined>,
) => unknown;

/**
 * The routes of pages and their files by path. Anyone may read them, at any node, also while the service loads. A path with
 * a slash at its end redirects to the page, whose relative links would lead elsewhere from there.
 */
export function pages(headers: Record<string, string>, by_path: Readonly<Record<string, Page>>): Route[] {
  return Object.entries(by_path).flatMap(([path, handle]) => {
    const routed = (at: string, page: Page): Route =>
      hiddenRoute('GET', at, {
        admit: ANYONE,
        answered_by: 'any',
        headers,
        params: path.includes('/:name') ? NAME : undefined,
        handle: page,
      });
    return path === '/' ? [routed(path, handle)] : [routed(path, handle), routed(`${path}/`, withoutSlash)];
  });
}

const PERMANENT = 308;

/** The address is relative, because a proxy may have taken a prefix off the path. */
const withoutSlash: Page = ({ request, set }) => {
  const { pathname, search } = urlOf(request);
  set.status = PERMANENT;
  set.headers.location = `../${pathname.split('/').at(-2)}${search}`;
  return '';
};
