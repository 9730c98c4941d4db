import { LIMITS } from '../limits.ts';
import type { ShownCountsChange } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';

/**
 * Stores how often items were shown, if there are shown pages that are old enough to be removed. Call it before a purge,
 * which removes only pages that stored counts cover. O(items).
 * @throws ServiceError `store_unavailable`, `shutting_down`
 */
export async function saveShownCounts(
  { items, applied_at }: State,
  store: Pick<Store, 'hasOldShown' | 'submit'>,
): Promise<void> {
  if (!(await store.hasOldShown(applied_at))) return;
  const shown: number[] = [];
  for (let item = 0; item < items.size; item++)
    if (items.shown_count(item) > 0 && items.names.holds(item)) shown.push(item);
  const changes: ShownCountsChange[] = [];
  for (let at = 0; at === 0 || at < shown.length; at += LIMITS.shown_counts_items) {
    const some = shown.slice(at, at + LIMITS.shown_counts_items);
    const counts = Uint32Array.from(some, (item) => items.shown_count(item));
    const stamp = { seq: 0, applied_at };
    const is_first = Number(at === 0);
    changes.push({ kind: 'shown_counts', is_first, items: items.names.keysOf(some), counts, ...stamp });
  }
  await store.submit(changes);
}
