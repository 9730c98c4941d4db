import type { Diversity, Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { PageItem } from './page-item.ts';

/** An author's items on the page, and items that wait for the minimum distance, best first. */
interface Author {
  posts: number;
  last_slot: number;
  waiting: PageItem[];
  /** The number of waiting items that have been placed. */
  taken: number;
}

/**
 * Builds the best page of `length` that keeps both limits: each slot gets the best permitted item.
 *
 * The limits are hard, so the page may be shorter. Items of unknown authors are exempt. Each slot releases at most
 * one author, the one whose previous slot has just become distant enough. So of all waiting items, only the best of
 * that author must be checked. O(length + skipped items).
 * @param list the items before the page, which count for the limits
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
  const authors = new Map<Ordinal, Author>();
  const authorBy = ({ item }: PageItem): Author | undefined => {
    const ordinal = authorOf(item);
    if (ordinal === NONE) return undefined;
    let author = authors.get(ordinal);
    if (author === undefined) {
      author = { posts: 0, last_slot: Number.NEGATIVE_INFINITY, waiting: [], taken: 0 };
      authors.set(ordinal, author);
    }
    return author;
  };
  const place = (item: PageItem, slot: number): void => {
    const author = authorBy(item);
    if (author === undefined) return;
    author.posts++;
    author.last_slot = slot;
  };
  for (const [slot, item] of list.entries()) place(item, slot);
  const takeWaiting = (slot: number): PageItem | undefined => {
    const distant = slot - distance - 1;
    if (distant < 0) return undefined;
    const author = authorBy(distant < list.length ? list[distant] : page[distant - list.length]);
    if (author === undefined || author.last_slot !== distant || author.posts >= most) return undefined;
    return author.taken < author.waiting.length ? author.waiting[author.taken++] : undefined;
  };
  let next = 0;
  const takeNext = (slot: number): PageItem | undefined => {
    while (next < ranked.length) {
      const candidate = ranked[next++];
      const author = authorBy(candidate);
      if (author === undefined) return candidate;
      if (author.posts >= most) continue;
      if (slot - author.last_slot > distance) return candidate;
      author.waiting.push(candidate);
    }
    return undefined;
  };
  while (page.length < length) {
    const slot = list.length + page.length;
    const chosen = takeWaiting(slot) ?? takeNext(slot);
    if (chosen === undefined) break;
    place(chosen, slot);
    page.push(chosen);
  }
  return page;
}

/**
 * Makes a test for whether diversity leaves a slot of a page for an item. Each accepted item uses up a slot.
 * @param list the items before the page
 */
export function freeSlots(
  diversity: Diversity | undefined,
  page_length: number,
  authorOf: (item: Ordinal) => Ordinal,
  list: readonly PageItem[],
): Test {
  if (diversity === undefined) return () => true;
  const { max_posts_per_author: most = Number.POSITIVE_INFINITY } = diversity;
  const { min_distance_between_posts_from_same_author: distance = 0 } = diversity;
  const of_page = Math.ceil(page_length / (distance + 1));
  const [before, taken] = [new Map<Ordinal, number>(), new Map<Ordinal, number>()];
  const add = (counts: Map<Ordinal, number>, author: Ordinal): number => {
    const count = counts.get(author) ?? 0;
    counts.set(author, count + 1);
    return count;
  };
  for (const { item } of list) add(before, authorOf(item));
  return (item) => {
    const author = authorOf(item);
    return author === NONE || add(taken, author) < Math.min(of_page, most - (before.get(author) ?? 0));
  };
}
