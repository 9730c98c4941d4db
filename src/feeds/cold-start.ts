import { DAY_SECONDS } from '../clock.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** The conditions for the cold start feed. */
export interface ColdStartRules {
  /** A viewer with fewer interactions is cold. */
  min_interactions: number;
  /** A viewer without interactions for longer is cold. */
  inactive_days: number;
}

/**
 * Counts the current approvals of a viewer (likes, comments, shares and bookmarks) from the latest on.
 * @param most counting stops at this number
 * @returns `latest`: the time of the latest of them in seconds; -Infinity without one
 */
export function approvalsOf(
  state: State,
  viewer: Ordinal,
  most: number,
): { counted: number; latest: number } {
  const log = state.interactions.by_user;
  let counted = 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (let at = log.end(viewer) - 1; at >= log.start(viewer); at--) {
    if (log.removed(at) || !state.vocabulary.isApproval(log.event_type(at))) continue;
    latest = Math.max(latest, log.timestamp(at));
    counted++;
    if (counted >= most) break;
  }
  return { counted, latest };
}

/**
 * Why a viewer is cold. Spec 1.4.
 *
 * A viewer is cold if unknown, if not personalised, with fewer than `min_interactions` current approvals (likes, comments, shares and
 * bookmarks), or without one for longer than `inactive_days`. O(the viewer's latest entries).
 * @param shows_rules whether the numbers of the rules may be shown
 * @returns a sentence with the rule and its numbers, or undefined if the viewer is not cold
 */
export function coldStartReason(
  state: State,
  viewer: Ordinal,
  now: number,
  { min_interactions, inactive_days }: ColdStartRules,
  shows_rules = true,
): string | undefined {
  if (viewer === NONE) return 'the service knows nothing of this viewer';
  if (!state.preferences.isPersonalised(viewer)) return 'pages of this viewer do not use what the viewer did';
  const named = (rule: string, value: number) => (shows_rules ? `${rule} ${value}` : rule);
  const { counted, latest } = approvalsOf(state, viewer, min_interactions);
  if (counted < min_interactions) {
    const interactions = counted === 1 ? '1 interaction that counts' : `${counted} interactions that count`;
    return `the viewer has ${interactions}, fewer than ${named('min_interactions', min_interactions)}`;
  }
  const silent_days = (now - latest) / DAY_SECONDS;
  if (silent_days <= inactive_days) return undefined;
  if (counted === 0)
    return `the viewer has no interaction that counts within ${named('inactive_days', inactive_days)}`;
  return `the viewer's last interaction was ${silent_days.toFixed(1)} days ago, longer than ${named('inactive_days', inactive_days)}`;
}
