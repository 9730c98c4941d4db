import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

const SECONDS_PER_DAY = 86_400;

/**
 * Whether a viewer is under cold start, spec 1.4: unknown, with fewer than `min_interactions` approvals
 * (likes, comments, shares and bookmarks) that stand, or without one for longer than `inactive_days`.
 * O(the viewer's latest entries).
 */
export function isCold(
  state: State,
  viewer: Ordinal,
  now: number,
  min_interactions: number,
  inactive_days: number,
): boolean {
  if (viewer === NONE) return true;
  const log = state.interactions.by_user;
  let counted = 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (let at = log.end(viewer) - 1; at >= log.start(viewer); at--) {
    if (log.removed(at) || !state.vocabulary.isApproval(log.event_type(at))) continue;
    latest = Math.max(latest, log.timestamp(at));
    counted++;
    if (counted >= min_interactions) break;
  }
  return counted < min_interactions || latest < now - inactive_days * SECONDS_PER_DAY;
}
