import { relationOf, relationsIn } from '../ingest/relations.ts';
import { clamped } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import type { BlockRecord, FollowRecord, InteractionRecord } from '../model/records/index.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** Whether a follow or block contradicts a known one at the same time. */
export function isOppositeRelation(state: State, record: FollowRecord | BlockRecord): boolean {
  const { user_id, target_user_id, timestamp, action } = record;
  const { names } = state.users;
  const one = names.find(user_id);
  const other = names.find(target_user_id);
  if (one === NONE || other === NONE || timestamp === undefined) return false;
  const kind = relationOf(record);
  const known = relationsIn(state, kind).known(one, other);
  return known?.time === clamped(timestamp, timestamp) && known.stands !== (action === kind);
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
