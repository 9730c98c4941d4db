import type { Diversity, Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { PageItem } from './page-item.ts';

/** What diversity limits. NONE for an item without author or channel, to which the limit does not apply. */
export interface Grouping {
  author(item: Ordinal): Ordinal;
  channel(item: Ordinal): number;
}

/** An author's items on the page, and items that wait for the minimum distance, best first. */
interface Author<T> {
  last_slot: number;
  waiting: T[];
  /** The number of waiting items that have been placed or dropped. */
  taken: number;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

class Counts {
  private readonly most_of_author: number;
  private readonly most_of_channel: number;
  private readonly authors = new Map<Ordinal, number>();
  private readonly channels = new Map<number, number>();

  constructor(
    { max_posts_per_author = NO_LIMIT, max_posts_per_channel = NO_LIMIT }: Diversity,
    private readonly grouping: Grouping,
  ) {
    this.most_of_author = max_posts_per_author;
    this.most_of_channel = max_posts_per_channel;
  }

  /** Whether the author or the channel of an item has as many items as it may have. */
  isFull(item: Ordinal): boolean {
    const { authors, channels, grouping } = this;
    return (
      (this.most_of_author < NO_LIMIT && (authors.get(grouping.author(item)) ?? 0) >= this.most_of_author) ||
      (this.most_of_channel < NO_LIMIT && (channels.get(grouping.channel(item)) ?? 0) >= this.most_of_channel)
    );
  }

  add(item: Ordinal): void {
    const { authors, channels, grouping } = this;
    if (this.most_of_author < NO_LIMIT) increase(authors, grouping.author(item));
    if (this.most_of_channel < NO_LIMIT) increase(channels, grouping.channel(item));
  }
}

function increase(counts: Map<number, number>, group: number): void {
  if (group !== NONE) counts.set(group, (counts.get(group) ?? 0) + 1);
}

/**
 * Builds the best page of `length` that keeps all limits: each slot gets the best permitted item.
 *
 * The limits are hard, so the page may be shorter. Items of unknown authors, and items without channel, are exempt from
 * the limits of these. Each slot releases at most one author, the one whose previous slot has just become distant
 * enough. So of all waiting items, only the best of that author must be checked. O(length + skipped items).
 * @param list the items before the page, which count for the limits
 */
export function diversify<T extends PageItem>(
  ranked: readonly T[],
  length: number,
  diversity: Diversity | undefined,
  grouping: Grouping,
  list: readonly PageItem[] = [],
): T[] {
  if (diversity === undefined) return ranked.slice(0, length);
  const distance = diversity.min_distance_between_posts_from_same_author ?? 0;
  const counts = new Counts(diversity, grouping);
  const page: T[] = [];
  const authors = new Map<Ordinal, Author<T>>();
  const authorBy = ({ item }: PageItem): Author<T> | undefined => {
    const ordinal = grouping.author(item);
    if (ordinal === NONE) return undefined;
    let author = authors.get(ordinal);
    if (author === undefined) {
      author = { last_slot: Number.NEGATIVE_INFINITY, waiting: [], taken: 0 };
      authors.set(ordinal, author);
    }
    return author;
  };
  const place = (item: PageItem, slot: number): void => {
    counts.add(item.item);
    const author = authorBy(item);
    if (author !== undefined) author.last_slot = slot;
  };
  for (const [slot, item] of list.entries()) place(item, slot);
  const takeWaiting = (slot: number): T | undefined => {
    const distant = slot - distance - 1;
    if (distant < 0) return undefined;
    const author = authorBy(distant < list.length ? list[distant] : page[distant - list.length]);
    if (author === undefined || author.last_slot !== distant) return undefined;
    while (author.taken < author.waiting.length) {
      const item = author.waiting[author.taken++];
      if (!counts.isFull(item.item)) return item;
    }
    return undefined;
  };
  let next = 0;
  const takeNext = (slot: number): T | undefined => {
    while (next < ranked.length) {
      const candidate = ranked[next++];
      if (counts.isFull(candidate.item)) continue;
      const author = authorBy(candidate);
      if (author === undefined || slot - author.last_slot > distance) return candidate;
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
 * Makes a test for items that a page has no room for, because their author or channel is on it as often as it may.
 * @param lists the items of the page and those before it
 */
export function fullGroups(
  diversity: Diversity | undefined,
  grouping: Grouping,
  ...lists: (readonly PageItem[])[]
): Test {
  if (diversity === undefined) return () => false;
  const counts = new Counts(diversity, grouping);
  for (const list of lists) for (const { item } of list) counts.add(item);
  return (item) => counts.isFull(item);
}

/**
 * Makes a test for whether diversity leaves a slot of a page for an item. Each accepted item uses up a slot.
 * @param list the items before the page
 */
export function freeSlots(
  diversity: Diversity | undefined,
  page_length: number,
  grouping: Grouping,
  list: readonly PageItem[],
): Test {
  if (diversity === undefined) return () => true;
  const { min_distance_between_posts_from_same_author: distance = 0 } = diversity;
  const of_page = Math.ceil(page_length / (distance + 1));
  const counts = new Counts(diversity, grouping);
  for (const { item } of list) counts.add(item);
  const near = new Counts({ max_posts_per_author: of_page }, grouping);
  return (item) => {
    if (counts.isFull(item) || near.isFull(item)) return false;
    counts.add(item);
    near.add(item);
    return true;
  };
}
