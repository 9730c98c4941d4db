import type { Postings } from './kinds.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { GroupColumn, RequestContext } from './request-context.ts';

/**
 * What `compile` of an inclusion filter returns that keeps items with any of some values of a group column,
 * given in normal form. No values: everything is kept.
 */
export function anyOf(
  column: GroupColumn,
  values: readonly string[],
): (request: RequestContext) => (item: Ordinal) => boolean {
  if (values.length === 0) return () => () => true;
  return (request) => {
    const codes = codesOf(request, column, values);
    if (codes.length === 1) return (item) => request.has(column, item, codes[0]);
    const wanted = new Set(codes);
    const isWanted = (code: number): boolean => wanted.has(code);
    return (item) => request.any_value(column, item, isWanted);
  };
}

/** What `postings` of the same filter returns. */
export function postingsOf(
  column: GroupColumn,
  values: readonly string[],
): ((request: RequestContext) => Postings) | undefined {
  if (values.length === 0) return undefined;
  return (request) => ({ column, values: codesOf(request, column, values) });
}

function codesOf(request: RequestContext, column: GroupColumn, values: readonly string[]): number[] {
  const codes = values.map((value) => request.code(column, value)).filter((code) => code !== NONE);
  return [...new Set(codes)];
}
