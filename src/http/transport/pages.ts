import { Type } from '@sinclair/typebox';
import { ANYONE } from '../identity/admissions.ts';
import { type Parameter, parameter } from './parameters.ts';
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

/** The routes of pages and their files by path. Anyone may read them, at any node, also while the service loads. */
export function pages(headers: Record<string, string>, by_path: Readonly<Record<string, Page>>): Route[] {
  return Object.entries(by_path).map(([path, handle]) =>
    hiddenRoute('GET', path, {
      admit: ANYONE,
      answered_by: 'any',
      headers,
      params: path.includes('/:name') ? NAME : undefined,
      handle,
    }),
  );
}
