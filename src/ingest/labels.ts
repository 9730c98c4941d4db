import type { Fault } from '../errors.ts';
import { clamped } from '../model/acts.ts';
import { LABEL, type LabelChange } from '../model/changes/label.ts';
import { NONE } from '../model/key.ts';
import type { LabelRecord } from '../model/records/index.ts';
import { labelFact } from '../state/apply.ts';
import { isNews, type LabelFact } from '../state/labels.ts';
import type { IngestContext } from './context.ts';
import { datedAhead } from './record-warnings.ts';
import type { WriteBatch } from './write-batch.ts';

type Keys = Pick<LabelChange, 'labeler' | 'item' | 'user' | 'value'>;

/**
 * Adds a label, or the end of one, unless a later message about it is known.
 *
 * A label may come before its item or user, which is then named. So a labeler that invents subjects takes memory, up to
 * the limits of labels. Queued labels are not counted for these.
 * @throws ServiceError `state_full`, without any change
 */
export function addLabel(record: LabelRecord, batch: WriteBatch): { faults?: Fault[]; warnings?: string[] } {
  const { applied_at, context } = batch;
  const { labeler_id, item_id, user_id, value, timestamp = applied_at, expires_at } = record;
  const { state, user_keys, item_keys } = context;
  const act = { user_id: labeler_id, target_user_id: user_id, item_id, timestamp: record.timestamp };
  const outdated = context.deletions.outdatedAct(act, applied_at);
  if (outdated !== undefined) return { warnings: [outdated] };
  const labeler = user_keys.find(labeler_id);
  const found = {
    labeler,
    item: item_id === undefined ? NONE : item_keys.find(item_id),
    user: user_id === undefined ? NONE : user_keys.find(user_id),
    value,
  };
  const known = knownLabel(found, context);
  const refusal = known ?? state.labels.refusal(state.users.names.ordinal(labeler), value);
  if (typeof refusal === 'string') return { faults: [{ path: '/value', message: refusal }] };
  const latest = {
    action: record.action === 'remove' ? 0 : 1,
    hides: record.hides === true ? 1 : 0,
    timestamp,
    expires_at,
    applied_at,
  };
  if (!isNews(known, labelFact(latest))) return {};
  const users = user_id === undefined ? [labeler_id] : [labeler_id, user_id];
  batch.require(context.estimates.names(users, item_id === undefined ? [] : [item_id]));
  const keys: Keys = {
    labeler: batch.userKey(labeler_id),
    item: item_id === undefined ? NONE : batch.itemKey(item_id),
    user: user_id === undefined ? NONE : batch.userKey(user_id),
    value,
  };
  const change: LabelChange = { kind: LABEL.kind, ...keys, ...latest, seq: 0 };
  context.queued_changes.noteChange(pairOf(keys), change, clamped(timestamp, applied_at));
  batch.push(change);
  return { warnings: datedAhead(record, applied_at) };
}

/** The latest message about a label. Queued changes count as applied. */
function knownLabel(keys: Keys, { state, queued_changes }: IngestContext): LabelFact | undefined {
  const queued = queued_changes.label(pairOf(keys));
  if (queued !== undefined) return labelFact(queued);
  const { item, user, value } = keys;
  const space = item === NONE ? 'user' : 'item';
  const { names } = space === 'user' ? state.users : state.items;
  const subject = names.ordinal(space === 'user' ? user : item);
  const labeler = state.users.names.ordinal(keys.labeler);
  if (labeler === NONE || subject === NONE || queued_changes.deletes(item)) return undefined;
  return state.labels.known(space, subject, labeler, value);
}

function pairOf({ labeler, item, user, value }: Keys): string {
  return `${LABEL.kind} ${labeler} ${item} ${user} ${value}`;
}
