import { type Key, NONE } from '../state/change.ts';
import type { Act } from '../state/interactions.ts';
import type { State } from '../state/state.ts';
import type { ChangeBatch } from './state-capacity.ts';

/**
 * Adds the outcomes of a new act for the experiments that showed the item to the user.
 *
 * They are stored beside the act, so that results do not depend on whether the item is retired later. Only the first act
 * of its kind on an item counts: liking it again after taking the like back does not. Each comment counts.
 */
export function addOutcomes(
  { users, items, interactions, experiments }: State,
  user: Key,
  item: Key,
  act: Omit<Act, 'user' | 'item'>,
  applied_at: number,
  changes: ChangeBatch,
): void {
  const { event_type, time: timestamp } = act;
  const arms = experiments.attributedArms(user, item, timestamp);
  if (arms.length === 0) return;
  const [one, other] = [users.names.ordinal(user), items.names.ordinal(item)];
  if (one === NONE || other === NONE || interactions.isKnown({ ...act, user: one, item: other })) return;
  for (const arm of arms)
    changes.push({ kind: 'outcome', user, arm, event_type, timestamp, seq: 0, applied_at });
}
