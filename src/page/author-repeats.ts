import { NONE, type Ordinal } from '../plugin/index.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { State } from '../state/state.ts';

/** Recorded pages count for `repeat_author_decay` for this time: 24 hours. */
const REPEATS_SECONDS = 86_400;

/** The number of items of each author among those that were seen on pages lately. Each item counts once. */
export function authorRepeats(
  { items }: State,
  { pages }: Pick<SeenRow, 'pages'>,
  now: number,
): Map<Ordinal, number> {
  const repeats = new Map<Ordinal, number>();
  const recent = pages.filter(({ time }) => time > now - REPEATS_SECONDS);
  for (const key of new Set(recent.flatMap(({ keys }) => [...keys]))) {
    const item = items.names.ordinal(key);
    const author = item === NONE ? NONE : items.author(item);
    if (author !== NONE) repeats.set(author, (repeats.get(author) ?? 0) + 1);
  }
  return repeats;
}
