import { COUNTERS, type Counts } from '../../state/change.ts';
import type { Items } from '../../state/items.ts';
import { csvRecord } from './csv.ts';

/** What a source counted of an item at one moment. */
interface Count {
  time: number;
  counts: Partial<Counts>;
}

/** What the source last counted, the earliest first; counters that it never counted are left out. */
function countsOf(items: Items, item: number): Count[] {
  const counts: Count[] = [];
  for (const counter of COUNTERS) {
    const time = items.counted_at(item, counter);
    if (time === 0) continue;
    let count = counts.find((other) => other.time === time);
    if (count === undefined) {
      count = { time, counts: {} };
      counts.push(count);
    }
    count.counts[counter] = items.source(item, counter);
  }
  return counts.sort((one, other) => one.time - other.time);
}

/** Some counter of the item comes from its source. */
export function isCounted(items: Items, item: number): boolean {
  return COUNTERS.some((counter) => items.counted_at(item, counter) > 0);
}

/** The counters as fields of the item's record, which has one `updated_at`; none when they differ in it. */
export function recordCounters(items: Items, item: number): object {
  const counts = countsOf(items, item);
  return counts.length === 1 ? { ...counts[0].counts, updated_at: counts[0].time } : {};
}

export const ENGAGEMENT_COLUMNS = ['item_id', 'timestamp', ...COUNTERS] as const;

/** Rows of `engagement.csv` for those of the items whose record cannot hold their counters; by time, then item. */
export function* engagementRows(items: Items, exported: readonly number[]): Generator<string> {
  const rows: (Count & { item_id: string })[] = [];
  for (const item of exported) {
    const counts = countsOf(items, item);
    if (counts.length < 2) continue;
    const item_id = items.names.id(item);
    for (const count of counts) rows.push({ ...count, item_id });
  }
  rows.sort((one, other) => one.time - other.time || (one.item_id < other.item_id ? -1 : 1));
  for (const { item_id, time, counts } of rows) {
    yield csvRecord([item_id, time, ...COUNTERS.map((counter) => counts[counter] ?? '')]);
  }
}
