/** Records that take back a named event by its id alone. */
import type { ActSpace } from '../changes/event.ts';
import { type Parsed, readRecord } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import { isPlainObject, type ReadOptions } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { actor } from './common-fields.ts';

const WORDS = { interaction: 'remove', follow: 'unfollow', block: 'unblock' } as const;

function removalType(title: string, word: string, what: string) {
  return recordType(
    title,
    `Removes a ${what} by its \`event_id\` alone. If it was repeated with a later \`event_id\`, it stays.`,
    {
      user_id: actor,
      event_id: required(type.Identifier, `The \`event_id\` of the ${what}.`, 'at://did:plc:1/event/3k'),
      action: required(type.word([word]), 'Removes it.', word),
      // An event is taken back at its own time.
      timestamp: optional(type.Time, 'Has no effect.', 1764865269),
    },
  );
}

export const REMOVALS = {
  interaction: removalType('InteractionRemoval', WORDS.interaction, 'like, share or bookmark'),
  follow: removalType('FollowRemoval', WORDS.follow, 'follow'),
  block: removalType('BlockRemoval', WORDS.block, 'block'),
};

export type EventRemoval = { space: ActSpace } & Omit<RecordOf<typeof REMOVALS.follow>, 'action'>;

/**
 * Whether a record takes back an event by its id alone.
 * @param others fields of records that name their subject
 */
export function isEventRemoval(value: unknown, space: ActSpace, others: readonly string[]): boolean {
  if (!isPlainObject(value) || value.action !== WORDS[space] || !isGiven(value.event_id)) return false;
  return !others.some((name) => isGiven(value[name]));
}

/** Parses a record for which `isEventRemoval` is true. */
export function parseEventRemoval(
  value: unknown,
  space: ActSpace,
  options?: ReadOptions,
): Parsed<EventRemoval> {
  const read = readRecord(value, REMOVALS[space].shape, options);
  if (!read.ok) return read;
  const { action: _, ...record } = read.record;
  return { ...read, record: { space, ...record } };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
