import { COUNTERS, clamped, type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { isPast } from './act-times.ts';
import { countedAt, type QueuedChanges } from './queued-changes.ts';
import type { ItemCounters } from './records/index.ts';

/** Whether each count is known, is queued, or is older than the known one. */
export function isOldCount(
  { items }: State,
  queued_changes: QueuedChanges,
  item: Key,
  counters: ItemCounters,
  applied_at: number,
): boolean {
  const dated = isPast(counters.updated_at, applied_at);
  const updated_at = clamped(counters.updated_at ?? applied_at, applied_at);
  const ordinal = queued_changes.deletes(item) ? NONE : items.names.ordinal(item);
  return COUNTERS.every((counter) => {
    const count = counters[counter];
    if (count === undefined) return true;
    const queued = queued_changes.count(item, counter);
    const queued_at = queued === undefined ? 0 : countedAt(queued);
    const stored_at = ordinal === NONE ? 0 : items.counted_at(ordinal, counter);
    const counted_at = Math.max(queued_at, stored_at);
    if (counted_at === 0) return false;
    if (updated_at < counted_at) return true;
    const known = queued_at >= stored_at ? queued?.[counter] : items.source(ordinal, counter);
    return count === known && (!dated || updated_at === counted_at);
  });
}
