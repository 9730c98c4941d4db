import { COUNTERS, type Counter, EVENT_CODE } from '../../model/acts.ts';
import { NONE } from '../../model/key.ts';
import type { Service } from '../../service.ts';
import type { Items } from '../../state/items.ts';
import { describedItem } from '../records/stored-records.ts';

/** Maximum number of interactions that are counted, some milliseconds: the latest ones. */
const INTERACTIONS_MAX = 500_000;

/** The interactions that are counted, by name. */
const COUNTED = { views: 'view', likes: 'like', comments: 'comment', shares: 'share' } as const;
type Counted = keyof typeof COUNTED;

/** A span of time in buckets of the same length. All in seconds. */
export interface Buckets {
  /** A multiple of `every_seconds`. */
  from: number;
  count: number;
  every_seconds: number;
}

interface Bucket extends Record<Counted, number> {
  at: number;
  /** What the source had counted by its end; null if nothing yet. */
  source: Record<Counter, number | null>;
}

/**
 * `GET /v2/community/items/<item_id>/counts`: interactions with an item per bucket of time.
 *
 * Everything is in memory, so this reads no store.
 * @throws ServiceError `not_found`
 */
export function itemCounts({ state }: Pick<Service, 'state'>, item_id: string, span: Buckets) {
  const { items, interactions } = state;
  const item = describedItem(items, item_id);
  const { from, count, every_seconds } = span;
  const buckets = Array.from({ length: count }, (_, index) => bucketAt(items, item, span, index));
  const names = Object.keys(COUNTED) as Counted[];
  const by_code = new Map<number, Counted>(names.map((name) => [EVENT_CODE[COUNTED[name]], name]));
  const log = interactions.by_item;
  const end = log.firstAfter(item, from + count * every_seconds);
  const start = Math.max(log.firstAfter(item, from - 1), end - INTERACTIONS_MAX);
  for (let at = start; at < end; at++) {
    const bucket = buckets[Math.floor((log.seconds(at) - from) / every_seconds)];
    const name = by_code.get(log.event_type(at));
    if (bucket !== undefined && name !== undefined && !log.removed(at)) bucket[name]++;
  }
  const is_cut = end - start === INTERACTIONS_MAX;
  const shown = items.shown_count(item);
  return { item_id, shown, every_seconds, complete_from: is_cut ? log.seconds(start) + 1 : from, buckets };
}

function bucketAt(items: Items, item: number, { from, every_seconds }: Buckets, index: number): Bucket {
  const at = from + index * every_seconds;
  const source = COUNTERS.map((counter) => [counter, sourceCount(items, item, counter, at + every_seconds)]);
  const none = { views: 0, likes: 0, comments: 0, shares: 0 };
  return { at, ...none, source: Object.fromEntries(source) as Bucket['source'] };
}

/** The source's last count before a time. Null without one. */
function sourceCount(items: Items, item: number, counter: Counter, before: number): number | null {
  const counted_at = items.counted_at(item, counter);
  if (counted_at === 0) return null;
  if (counted_at < before) return items.source(item, counter);
  const list = items.former_list(item, counter);
  if (list === NONE) return null;
  const { former_counts } = items;
  for (let at = former_counts.firstAfter(list, before) - 1; at >= former_counts.start(list); at--)
    if (former_counts.time(at) < before) return former_counts.count(at);
  return null;
}
