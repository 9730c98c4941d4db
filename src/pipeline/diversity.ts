import { NONE, type Ordinal } from '../plugin/index.ts';
import type { PageItem } from './pipeline.ts';

export interface Diversity {
  /** Items of one author on a page. */
  max_posts_per_author?: number;
  /** Items that lie between two of one author at least. */
  min_distance_between_posts_from_same_author?: number;
}

/**
 * The best page of `length` that keeps both limits: at each slot the best item that may stand there. Both
 * limits are hard, so the page may be shorter; items of unknown author are exempt.
 * O(length × items passed over).
 * @param list what comes before the page and counts for the limits, too
 */
export function diversify(
  ranked: readonly PageItem[],
  length: number,
  diversity: Diversity | undefined,
  authorOf: (item: Ordinal) => Ordinal,
  list: readonly PageItem[] = [],
): PageItem[] {
  if (diversity === undefined) return ranked.slice(0, length);
  const most = diversity.max_posts_per_author ?? Number.POSITIVE_INFINITY;
  const distance = diversity.min_distance_between_posts_from_same_author ?? 0;
  const page: PageItem[] = [];
  const posts = new Map<Ordinal, { count: number; last_slot: number }>();
  const place = ({ item }: PageItem, slot: number): void => {
    const author = authorOf(item);
    posts.set(author, { count: (posts.get(author)?.count ?? 0) + 1, last_slot: slot });
  };
  for (const [slot, item] of list.entries()) place(item, slot);
  const fits = (candidate: PageItem): boolean => {
    const author = authorOf(candidate.item);
    const known = author === NONE ? undefined : posts.get(author);
    return (
      known === undefined || (known.count < most && list.length + page.length - known.last_slot > distance)
    );
  };
  const waiting: PageItem[] = [];
  let next = 0;
  while (page.length < length) {
    let chosen: PageItem | undefined;
    const held = waiting.findIndex(fits);
    if (held >= 0) [chosen] = waiting.splice(held, 1);
    while (chosen === undefined && next < ranked.length) {
      const candidate = ranked[next++];
      if (fits(candidate)) chosen = candidate;
      else if ((posts.get(authorOf(candidate.item))?.count ?? 0) < most) waiting.push(candidate);
    }
    if (chosen === undefined) break;
    place(chosen, list.length + page.length);
    page.push(chosen);
  }
  return page;
}
