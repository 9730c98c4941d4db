import type { FollowRecord, InteractionRecord } from '../ingest/records/index.ts';
import { clamped } from '../state/apply.ts';
import { NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** Whether a follow contradicts a known one at the same time. */
export function isOppositeFollow(
  { users, follows }: State,
  { user_id, target_user_id, timestamp, action }: FollowRecord,
): boolean {
  const one = users.names.find(user_id);
  const other = users.names.find(target_user_id);
  if (one === NONE || other === NONE || timestamp === undefined) return false;
  const same_moment = follows.timestamp(one, other) === clamped(timestamp, timestamp);
  return same_moment && follows.follows(one, other) !== (action === 'follow');
}

/** Whether an interaction contradicts a known one at the same time. @param user, item NONE if unknown */
export function isOppositeAct(
  { interactions, vocabulary }: State,
  record: InteractionRecord,
  user: number,
  item: number,
): boolean {
  if (user === NONE || item === NONE || record.timestamp === undefined) return false;
  if ((interactions.touched.flags(user, item) & TOUCHED.logged) === 0) return false;
  const event_type = vocabulary.code(record.event_type);
  const event_id = vocabulary.isIdentifiedByTime(event_type) ? (record.event_id ?? '') : '';
  const time = clamped(record.timestamp, record.timestamp);
  const act = { user, item, event_type, add: record.action === 'add', time, event_id };
  return interactions.wouldChange(act) && !interactions.wouldChange({ ...act, add: !act.add });
}
