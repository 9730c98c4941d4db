/** Records that exist only in interchange files. */
import { count, identifier } from './checks.ts';
import { type Parsed, readRecord, refused, shapeOf } from './record.ts';
import type { ReadOptions } from './refusal.ts';
import { seconds } from './time.ts';

/** `user_id` saw `item_id` on a page at `timestamp` (seconds). */
export interface ImpressionRecord {
  user_id: string;
  item_id: string;
  timestamp: number;
  /** Names the page among those of the user. Absent: all items at one time are one page. */
  page?: string;
  /** The place on the page. Absent: by the order of the records. */
  slot?: number;
}

/** Cumulative counts of an item's source at `timestamp` (seconds). At least one is given. */
export interface EngagementRecord {
  item_id: string;
  timestamp: number;
  likes_count?: number;
  comments_count?: number;
  shares_count?: number;
}

const IMPRESSION_SHAPE = shapeOf<ImpressionRecord>(
  { user_id: identifier, item_id: identifier, timestamp: seconds, page: identifier, slot: count },
  ['user_id', 'item_id', 'timestamp'],
);

const ENGAGEMENT_SHAPE = shapeOf<EngagementRecord>(
  { item_id: identifier, timestamp: seconds, likes_count: count, comments_count: count, shares_count: count },
  ['item_id', 'timestamp'],
);

export function parseImpression(value: unknown, options?: ReadOptions): Parsed<ImpressionRecord> {
  return readRecord(value, IMPRESSION_SHAPE, options);
}

export function parseEngagement(value: unknown, options?: ReadOptions): Parsed<EngagementRecord> {
  const read = readRecord(value, ENGAGEMENT_SHAPE, options);
  if (!read.ok) return read;
  const { likes_count, comments_count, shares_count } = read.record;
  if (likes_count === undefined && comments_count === undefined && shares_count === undefined) {
    return refused('', 'expected at least one of likes_count, comments_count, shares_count');
  }
  return read;
}
