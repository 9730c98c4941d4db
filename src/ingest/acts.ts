import type { Key } from '../model/key.ts';
import type { InteractionRecord } from '../model/records/index.ts';
import { timeOfAct } from '../state/apply.ts';
import type { Act } from '../state/interactions.ts';
import type { Vocabulary } from '../state/vocabulary.ts';
import { pairAt } from './act-times.ts';

export interface ActRecord extends Pick<InteractionRecord, 'user_id' | 'timestamp' | 'action' | 'event_id'> {
  event_type: string;
}

export interface ParsedAct {
  act: Omit<Act, 'user' | 'item'>;
  /** Whether only the time distinguishes it from other acts on the same item by the same user. */
  is_identified_by_time: boolean;
}

/** Makes the act of a record. A record without a time counts as of `applied_at`, in seconds. */
export function actOf(vocabulary: Vocabulary, record: ActRecord, applied_at: number): ParsedAct {
  const event_type = vocabulary.code(record.event_type);
  const is_one_of_many = vocabulary.isIdentifiedByTime(event_type);
  const event_id = is_one_of_many ? (record.event_id ?? '') : '';
  const timestamp = record.timestamp ?? applied_at;
  const time = timeOfAct(vocabulary, { event_type, event_id, timestamp }, applied_at);
  const act = { event_type, add: record.action === 'add', time, event_id };
  return { act, is_identified_by_time: is_one_of_many && event_id === '' };
}

/** As `actPair` for most acts. Acts that only their time distinguishes have it in the name, too. */
export function pairOfAct(user: Key, item: Key, { act, is_identified_by_time }: ParsedAct): string {
  const { event_type, event_id, time } = act;
  if (is_identified_by_time) return pairAt(user, item, event_type, time);
  return actPair(user, item, event_type, event_id);
}

/** The name of a queued act of a user on an item. @param event_id of a comment */
export function actPair(user: Key, item: Key, event_type: number, event_id = ''): string {
  return `${user} ${item} ${event_type} ${event_id}`;
}
