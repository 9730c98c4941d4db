/** Records that take back a named event by its id alone. */
import type { EventSpace } from '../../model/acts.ts';
import { identifier, oneOf } from './checks.ts';
import { type Parsed, readRecord, type Shape, shapeOf } from './record.ts';
import { isPlainObject, type ReadOptions } from './refusal.ts';
import { seconds } from './time.ts';

export interface EventRemoval {
  space: EventSpace;
  user_id: string;
  event_id: string;
  /** Seconds. Has no effect, because an event is taken back at its own time. */
  timestamp?: number;
}

const WORDS: Readonly<Record<EventSpace, string>> = {
  interaction: 'remove',
  follow: 'unfollow',
  block: 'unblock',
};

type Fields = Omit<EventRemoval, 'space'> & { action: string };

const SHAPES: Readonly<Record<EventSpace, Shape<Fields>>> = {
  interaction: removalShape(WORDS.interaction),
  follow: removalShape(WORDS.follow),
  block: removalShape(WORDS.block),
};

function removalShape(word: string): Shape<Fields> {
  const checks = { user_id: identifier, event_id: identifier, action: oneOf([word]), timestamp: seconds };
  return shapeOf<Fields>(checks, ['user_id', 'event_id', 'action']);
}

/**
 * Whether a record takes back an event by its id alone.
 * @param others fields of records that name their subject
 */
export function isEventRemoval(value: unknown, space: EventSpace, others: readonly string[]): boolean {
  if (!isPlainObject(value) || value.action !== WORDS[space] || !isGiven(value.event_id)) return false;
  return !others.some((name) => isGiven(value[name]));
}

/** Parses a record for which `isEventRemoval` is true. */
export function parseEventRemoval(
  value: unknown,
  space: EventSpace,
  options?: ReadOptions,
): Parsed<EventRemoval> {
  const read = readRecord(value, SHAPES[space], options);
  if (!read.ok) return read;
  const { user_id, event_id, timestamp } = read.record;
  const record: EventRemoval = { space, user_id, event_id };
  if (timestamp !== undefined) record.timestamp = timestamp;
  return { ok: true, record, warnings: read.warnings };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
