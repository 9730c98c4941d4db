import { EVENT_TYPES, type EventType } from '../acts.ts';
import { type Parsed, readRecord } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import type { ReadOptions } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { actor, when } from './common-fields.ts';
import { type EventRemoval, isEventRemoval, parseEventRemoval } from './event-removal.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

export const INTERACTION = recordType('Interaction', 'An interaction of a user with an item.', {
  user_id: actor,
  item_id: required(type.Identifier, 'The item.', EXAMPLE_IDS.item),
  event_type: required(type.word(EVENT_TYPES), 'Kind of interaction.', 'like'),
  timestamp: when,
  action: optional(type.word(['add', 'remove']), 'Absent: add.', 'add'),
  event_id: optional(
    type.Identifier,
    'For a like, share or bookmark: identifies it among those of `user_id`, so that it can be removed by this identifier alone. For a comment: distinguishes several comments of a user on an item. Comments without it are distinguished by timestamp. With neither, each is a new comment, and removing one needs one of the two.',
    'c-17',
  ),
});

type Fields = RecordOf<typeof INTERACTION>;
export type InteractionRecord = Fields & { action: NonNullable<Fields['action']> };

/** Kinds of interaction whose event ids are stored. */
export const EVENT_KINDS: readonly EventType[] = ['like', 'share', 'bookmark'];

/** Parses a record of `POST …/interactions` or a row of `interactions.csv`. */
export function parseAct(value: unknown, options?: ReadOptions): Parsed<InteractionRecord | EventRemoval> {
  if (isEventRemoval(value, 'interaction', ['item_id', 'event_type'])) {
    return parseEventRemoval(value, 'interaction', options);
  }
  return parseInteraction(value, options);
}

/** Parses a record that is not a removal by event id alone. */
export function parseInteraction(value: unknown, options?: ReadOptions): Parsed<InteractionRecord> {
  const read = readRecord(value, INTERACTION.shape, options);
  if (!read.ok) return read;
  const { action = 'add' } = read.record;
  return { ...read, record: Object.assign(read.record, { action }) };
}
