import { NONE, type Ordinal } from '../plugin/index.ts';
import type { ImpressionChange } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** Impressions count for `repeat_author_decay` for this time: 24 hours. */
export const REPEATS_SECONDS = 86_400;

/** The number of items of each author among impressions that are still known. Each item counts once. */
export function authorRepeats(
  { items, interactions }: State,
  viewer: Ordinal,
  impressions: readonly ImpressionChange[],
): Map<Ordinal, number> {
  const repeats = new Map<Ordinal, number>();
  if (viewer === NONE) return repeats;
  const keys = new Set(impressions.flatMap((impression) => [...impression.items]));
  for (const key of keys) {
    const item = items.names.ordinal(key);
    if (item === NONE || (interactions.touched.flags(viewer, item) & TOUCHED.impression) === 0) continue;
    const author = items.author(item);
    if (author !== NONE) repeats.set(author, (repeats.get(author) ?? 0) + 1);
  }
  return repeats;
}
