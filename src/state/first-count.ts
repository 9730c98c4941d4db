import { COUNTERS, NONE } from './change.ts';
import type { Items } from './items.ts';

/** The time of the source's first known count of any counter of an item. 0 if it never counted. */
export function firstCountedAt(items: Items, item: number): number {
  const { former_counts } = items;
  let first = 0;
  for (const counter of COUNTERS) {
    const list = items.former_list(item, counter);
    const former = list !== NONE && former_counts.start(list) < former_counts.end(list);
    const time = former ? former_counts.time(former_counts.start(list)) : items.counted_at(item, counter);
    if (time > 0 && (first === 0 || time < first)) first = time;
  }
  return first;
}
