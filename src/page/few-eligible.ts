import type { Ordinal } from '../plugin/index.ts';
import type { Allowed } from './allowed.ts';
import { NARROW_ITEMS_MAX } from './listing.ts';
import type { PageContext } from './page-context.ts';

/** Maximum number of items that are tested to find out whether few are eligible: less than a millisecond. */
const TESTED_MAX = 4 * NARROW_ITEMS_MAX;

/**
 * All items that a feed may show, if they are few enough to score them all.
 *
 * Only looks if the community, or a listing of the feed, is small. Otherwise it costs nothing.
 * @returns undefined if there are too many, or possibly too many
 */
export function fewEligible(
  { engine, newest }: PageContext,
  { admission, listing }: Allowed,
): readonly Ordinal[] | undefined {
  const { by_time } = engine.state;
  const all_count = by_time.end(0) - by_time.start(0);
  if (listing !== undefined && listing.length <= Math.min(all_count, TESTED_MAX)) {
    const eligible = new Set<Ordinal>();
    for (const item of listing.items()) {
      if (admission.admits(item) && eligible.add(item).size > NARROW_ITEMS_MAX) return undefined;
    }
    return [...eligible];
  }
  if (all_count > TESTED_MAX) return undefined;
  const eligible = newest(NARROW_ITEMS_MAX + 1);
  return eligible.length > NARROW_ITEMS_MAX ? undefined : eligible;
}
