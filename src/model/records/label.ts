/** Records of labels: what an account says of an item or of another account. */
import { type Parsed, readRecord, refused } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import type { ReadOptions } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

/** The length of a value in AT Protocol, in characters. */
const VALUE_LENGTH_MAX = 128;

/** A slash separates the labeler from the value in filters. */
const Value = type.ruled(type.text(VALUE_LENGTH_MAX), (value) =>
  value.includes('/') ? [{ path: '', message: 'expected a text without a slash' }] : [],
);

export const LABEL = recordType(
  'Label',
  '`labeler_id` puts a label on an item or a user, or takes it back. Name one of `item_id` and `user_id`. A label of a user counts for all their items.',
  {
    labeler_id: required(type.Identifier, 'The account that labels.', 'did:plc:ar7c4by46qjdydhdevvrndac'),
    item_id: optional(type.Identifier, 'The labelled item.', EXAMPLE_IDS.item),
    user_id: optional(type.Identifier, 'The labelled user.', undefined),
    value: required(Value, 'The label.', 'spam'),
    action: optional(type.word(['add', 'remove']), 'Absent: add.', 'add'),
    timestamp: optional(type.Time, 'When it was put or taken back. Absent: now.', 1764865269),
    expires_at: optional(type.Time, 'When it ends. Absent: never.', 1796401269),
    hides: optional(
      type.Flag,
      'true: as long as the label stands, the item, or the user with all items and acts, is hidden from everybody.',
      false,
    ),
  },
);

/** A label of one subject. */
export type LabelRecord = RecordOf<typeof LABEL>;

/** Parses a record of `POST …/labels`, of a connector, or a row of `labels.csv`. */
export function parseLabel(value: unknown, options?: ReadOptions): Parsed<LabelRecord> {
  const read = readRecord(value, LABEL.shape, options);
  if (!read.ok) return read;
  const { item_id, user_id } = read.record;
  if ((item_id === undefined) === (user_id === undefined))
    return refused(item_id === undefined ? '/item_id' : '/user_id', 'expected one of item_id and user_id');
  return read;
}
