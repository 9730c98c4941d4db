import { LIMITS } from '../limits.ts';
import { SHOWN_COUNTS, type ShownCountsChange } from '../model/changes/shown-counts.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';

/**
 * Stores what shown pages have counted, as far as rows that count may be removed: by feed and day if anything was
 * counted since the last time, and how often items were shown if there are pages that are old enough.
 *
 * Call it before a purge and after the trends are stored, as a purge removes only rows that both cover. O(items).
 * @throws ServiceError `store_unavailable`, `shutting_down`
 */
export async function saveShownCounts(
  state: State,
  store: Pick<Store, 'hasOldShown' | 'submit'>,
): Promise<void> {
  const { items, feed_days } = state;
  if (feed_days.is_empty) return;
  const has_old = await store.hasOldShown(state.applied_at);
  const days = feedDaysChange(state);
  if (!has_old) {
    if (feed_days.is_unsaved) await store.submit([days]);
    return;
  }
  const shown: number[] = [];
  for (let item = 0; item < items.size; item++)
    if (items.shown_count(item) > 0 && items.names.holds(item)) shown.push(item);
  const changes: ShownCountsChange[] = [];
  for (let at = 0; at === 0 || at < shown.length; at += LIMITS.shown_counts_items) {
    const some = shown.slice(at, at + LIMITS.shown_counts_items);
    const counts = Uint32Array.from(some, (item) => items.shown_count(item));
    const feed_days = at === 0 ? days.feed_days : new Float64Array();
    changes.push({ ...days, is_first: Number(at === 0), items: items.names.keysOf(some), counts, feed_days });
  }
  await store.submit(changes);
}

/** The counts by feed and day alone. */
export function feedDaysChange({ feed_days, applied_at }: State): ShownCountsChange {
  const none = { items: new Uint32Array(), counts: new Uint32Array() };
  return {
    kind: SHOWN_COUNTS.kind,
    is_first: 0,
    ...none,
    feed_days: feed_days.numbers(),
    seq: 0,
    applied_at,
  };
}
