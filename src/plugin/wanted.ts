import type { RequestContext } from './request-context.ts';

/** Proposals per item of the page, for sources that do not declare `per_item`. */
export const DEFAULT_PER_ITEM = 1;

/**
 * The usual number of items that a source should propose.
 *
 * Under load the number is reduced, but not below one page. If `per_item` is less than 1, it is never reduced.
 */
export function usuallyWanted(
  per_item: number,
  { page_length, effort }: Pick<RequestContext, 'page_length' | 'effort'>,
): number {
  return Math.ceil(Math.max(Math.min(1, per_item), effort * per_item) * page_length);
}
