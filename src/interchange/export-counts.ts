import { grown } from '../columns/growable.ts';
import { COUNTERS, type Counter, type Counts, NONE } from '../state/change.ts';
import type { Items } from '../state/items.ts';
import { csvRecord } from './csv.ts';

/** The known times of the source's counts, the earliest first. */
function timesOf(items: Items, item: number): number[] {
  const { former_counts } = items;
  const times = new Set<number>();
  for (const counter of COUNTERS) {
    const list = items.former_list(item, counter);
    const end = list === NONE ? 0 : former_counts.end(list);
    for (let at = list === NONE ? 0 : former_counts.start(list); at < end; at++) {
      times.add(former_counts.time(at));
    }
    const last = items.counted_at(item, counter);
    if (last > 0) times.add(last);
  }
  return [...times].sort((one, other) => one - other);
}

/** The count of a counter at exactly this time; undefined if there is none. */
function countAt(items: Items, item: number, counter: Counter, time: number): number | undefined {
  if (items.counted_at(item, counter) === time) return items.source(item, counter);
  const list = items.former_list(item, counter);
  if (list === NONE) return undefined;
  const { former_counts } = items;
  const at = former_counts.firstAfter(list, time) - 1;
  return at >= former_counts.start(list) && former_counts.time(at) === time
    ? former_counts.count(at)
    : undefined;
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

/** Rows of `engagement.csv` for items whose record cannot hold all counts, by time and then item. 16 bytes a row. */
export function* engagementRows(items: Items, exported: readonly number[]): Generator<string> {
  let time = new Float64Array(1024);
  let item_of = new Uint32Array(1024);
  let rows = 0;
  for (const item of exported) {
    const times = timesOf(items, item);
    if (times.length < 2) continue;
    time = grown(time, rows + times.length);
    item_of = grown(item_of, rows + times.length);
    for (const each of times) {
      time[rows] = each;
      item_of[rows++] = item;
    }
  }
  const idOf = (row: number) => items.names.id(item_of[row]);
  const order = Uint32Array.from({ length: rows }, (_, row) => row);
  order.sort((one, other) => time[one] - time[other] || (idOf(one) < idOf(other) ? -1 : 1));
  for (const row of order) {
    const counts = COUNTERS.map((counter) => countAt(items, item_of[row], counter, time[row]) ?? '');
    yield csvRecord([idOf(row), time[row], ...counts]);
  }
}
