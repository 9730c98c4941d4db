import { EVENT_TYPES, type EventType } from '../../model/acts.ts';
import { identifier, oneOf } from './checks.ts';
import { type EventRemoval, isEventRemoval, parseEventRemoval } from './event-removal.ts';
import { type Parsed, readRecord, shapeOf } from './record.ts';
import type { ReadOptions } from './refusal.ts';
import { seconds } from './time.ts';

export interface InteractionRecord {
  user_id: string;
  item_id: string;
  event_type: EventType;
  /** seconds; absent for now */
  timestamp?: number;
  action: 'add' | 'remove';
  /**
   * Identifies a comment; without it the timestamp does, and without both each comment is a new one.
   *
   * For `EVENT_KINDS` it names the act, so that it can be taken back by this name alone. For other kinds it has no
   * effect.
   */
  event_id?: string;
}

/** Kinds of interaction whose event ids are stored. */
export const EVENT_KINDS: readonly EventType[] = ['like', 'share', 'bookmark'];

interface InteractionFields extends Omit<InteractionRecord, 'action'> {
  action?: InteractionRecord['action'];
}

export const INTERACTION_SHAPE = shapeOf<InteractionFields>(
  {
    user_id: identifier,
    item_id: identifier,
    event_type: oneOf(EVENT_TYPES),
    timestamp: seconds,
    action: oneOf(['add', 'remove']),
    event_id: identifier,
  },
  ['user_id', 'item_id', 'event_type'],
);

/** Parses a record of `POST …/interactions` or a row of `interactions.csv`. */
export function parseAct(value: unknown, options?: ReadOptions): Parsed<InteractionRecord | EventRemoval> {
  if (isEventRemoval(value, 'interaction', ['item_id', 'event_type'])) {
    return parseEventRemoval(value, 'interaction', options);
  }
  return parseInteraction(value, options);
}

/** Parses a record that is not a removal by event id alone. */
export function parseInteraction(value: unknown, options?: ReadOptions): Parsed<InteractionRecord> {
  const read = readRecord(value, INTERACTION_SHAPE, options);
  if (!read.ok) return read;
  const { user_id, item_id, event_type, timestamp, action = 'add', event_id } = read.record;
  const record: InteractionRecord = { user_id, item_id, event_type, action };
  if (timestamp !== undefined) record.timestamp = timestamp;
  if (event_id !== undefined) record.event_id = event_id;
  return { ok: true, record, warnings: read.warnings };
}
