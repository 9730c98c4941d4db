/** Records that exist only in interchange files. */

import { type Parsed, readRecord, refused } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import type { ReadOptions } from '../values/refusal.ts';
import * as type from '../values/values.ts';
import { actor } from './common-fields.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

const item_id = required(type.Identifier, 'The item.', EXAMPLE_IDS.item);

export const IMPRESSION = recordType('Impression', '`user_id` saw `item_id` on a page.', {
  user_id: actor,
  item_id,
  timestamp: required(type.Time, 'When the page was sent.', 1764865269),
  page: optional(
    type.Identifier,
    'Names the page among those of the user. Absent: all items at one time are one page.',
    'a',
  ),
  slot: optional(type.Count, 'The place on the page. Absent: by the order of the records.', 1),
});

export const ENGAGEMENT = recordType(
  'Engagement',
  "Cumulative counts of an item's source. At least one is given.",
  {
    item_id,
    timestamp: required(type.Time, 'When they were counted.', 1764865269),
    likes_count: optional(type.SourceCount, 'Likes.', 95),
    comments_count: optional(type.SourceCount, 'Comments.', 20),
    shares_count: optional(type.SourceCount, 'Shares.', 8),
  },
);

export type ImpressionRecord = RecordOf<typeof IMPRESSION>;
export type EngagementRecord = RecordOf<typeof ENGAGEMENT>;

export function parseImpression(value: unknown, options?: ReadOptions): Parsed<ImpressionRecord> {
  return readRecord(value, IMPRESSION.shape, options);
}

export function parseEngagement(value: unknown, options?: ReadOptions): Parsed<EngagementRecord> {
  const read = readRecord(value, ENGAGEMENT.shape, options);
  if (!read.ok) return read;
  const { likes_count, comments_count, shares_count } = read.record;
  if (likes_count === undefined && comments_count === undefined && shares_count === undefined) {
    const expected = 'expected at least one of likes_count, comments_count, shares_count';
    return refused('', [expected, ...read.warnings].join('; '));
  }
  return read;
}
