import type { GroupColumn } from './group-column.ts';
import type { Postings } from './kinds.ts';
import { NONE, type Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Makes `compile` of an inclusion filter that keeps items with at least one of `values` in a group column.
 *
 * The values must be in normal form. An empty list keeps every item.
 */
export function anyOf(
  column: GroupColumn,
  values: readonly string[],
): (request: RequestContext) => (item: Ordinal) => boolean {
  if (values.length === 0) return () => () => true;
  return (request) => {
    const codes = codesOf(request, column, values);
    if (codes.length === 1) return (item) => request.item.has(column, item, codes[0]);
    const wanted = new Set(codes);
    const isWanted = (code: number): boolean => wanted.has(code);
    return (item) => request.item.has(column, item, isWanted);
  };
}

/** Makes `postings` of the same filter. */
export function postingsOf(
  column: GroupColumn,
  values: readonly string[],
): ((request: RequestContext) => Postings) | undefined {
  if (values.length === 0) return undefined;
  return (request) => ({ column, values: codesOf(request, column, values) });
}

function codesOf(request: RequestContext, column: GroupColumn, values: readonly string[]): number[] {
  const codes = values.map((value) => request.item.code(column, value)).filter((code) => code !== NONE);
  return [...new Set(codes)];
}
