import type { Seconds } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { EMPTY_HEAD_BYTES } from './head.ts';
import { keptSince } from './next-head.ts';
import type { ListedSeen, SeenRemoval, SeenRows } from './seen-store.ts';

export interface SweepOptions {
  now: Seconds;
  /** `FEEDLOOM_SEEN_DAYS`; undefined: for ever. */
  days_kept?: number;
  /** `FEEDLOOM_SEEN_STRANGERS_DAYS`; undefined: for ever. */
  strangers_days_kept?: number;
  isKnown(viewer: string): boolean;
  onRemoved(viewer: string): void;
}

/**
 * Removes rows of which everything is too old: with days of their own for viewers without a user record, and empty ones
 * of erased viewers once no write that was under way then can arrive. Of other rows, parts that are too old.
 *
 * Reads all rows without their contents, some at a time. A row that is written meanwhile stays.
 */
export async function sweepSeen(store: SeenRows, options: SweepOptions): Promise<void> {
  const { now, days_kept, strangers_days_kept, isKnown } = options;
  const times = {
    empty: now - LIMITS.tombstone_seconds,
    old: keptSince(now, days_kept),
    stranger: keptSince(now, strangers_days_kept),
  };
  const kindOf = ({
    viewer,
    part,
    updated_at,
    bytes,
  }: ListedSeen): keyof typeof times | 'part' | undefined => {
    if (part > 0) return updated_at < times.old ? 'part' : undefined;
    if (bytes <= EMPTY_HEAD_BYTES) return updated_at < times.empty ? 'empty' : undefined;
    if (updated_at < times.old) return 'old';
    return updated_at < times.stranger && !isKnown(viewer) ? 'stranger' : undefined;
  };
  for (let listed: ListedSeen[], after: ListedSeen | undefined; ; after = listed.at(-1)) {
    listed = await store.list(after, LIMITS.seen_listed_max);
    const found = Map.groupBy(listed, kindOf);
    const removals = [...found].flatMap(([kind, rows]): SeenRemoval[] => {
      if (kind === undefined) return [];
      const viewers = [...new Set(rows.map(({ viewer }) => viewer))];
      const before = times[kind === 'part' ? 'old' : kind];
      return [{ before, viewers, whole: kind !== 'part' }];
    });
    if (removals.length > 0) await store.remove(removals);
    for (const { viewers } of removals) for (const viewer of viewers) options.onRemoved(viewer);
    if (listed.length < LIMITS.seen_listed_max) return;
  }
}
