import { COUNTERS, type Counter, type Counts } from '../model/acts.ts';
import { csvRecord } from '../rows/csv.ts';
import type { Items } from '../state/items.ts';

/** The times of the source's current counts, the earliest first. */
function timesOf(items: Items, item: number): number[] {
  const times = new Set(COUNTERS.map((counter) => items.counted_at(item, counter)));
  times.delete(0);
  return [...times].sort((one, other) => one - other);
}

/** The current count of a counter if it was counted at exactly this time. */
function countAt(items: Items, item: number, counter: Counter, time: number): number | undefined {
  return items.counted_at(item, counter) === time ? items.source(item, counter) : undefined;
}

/** Whether any counter of the item comes from its source. */
export function isCounted(items: Items, item: number): boolean {
  return items.last_counted_at(item) > 0;
}

/**
 * The counters as fields of the item's record.
 *
 * A record has one `updated_at`, so there are none if the counters have several times.
 * @param version_at the time of the item's version, where it was sent
 */
export function recordCounters(items: Items, item: number, version_at?: number): object {
  const [updated_at, ...later] = timesOf(items, item);
  if (updated_at === undefined || later.length > 0) return { updated_at: version_at };
  const counts: Partial<Counts> = {};
  for (const counter of COUNTERS) {
    const count = countAt(items, item, counter, updated_at);
    if (count !== undefined) counts[counter] = count;
  }
  return { ...counts, updated_at };
}

export const ENGAGEMENT_COLUMNS = ['item_id', 'timestamp', ...COUNTERS] as const;

/** Rows of `engagement.csv` for items whose record cannot hold all counts, by time and then item. */
export function* engagementRows(items: Items, exported: readonly number[]): Generator<string> {
  const rows = exported.flatMap((item) => {
    const times = timesOf(items, item);
    return times.length < 2 ? [] : times.map((time) => ({ time, item }));
  });
  rows.sort((one, other) => one.time - other.time || items.names.compare(one.item, other.item));
  for (const { time, item } of rows) {
    const counts = COUNTERS.map((counter) => countAt(items, item, counter, time) ?? '');
    yield csvRecord([items.names.id(item), time, ...counts]);
  }
}
