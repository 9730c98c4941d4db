/** Records of relations between users: follows and blocks. */
import { identifier, oneOf } from './checks.ts';
import { type EventRemoval, isEventRemoval, parseEventRemoval } from './event-removal.ts';
import { type Parsed, readRecord, refused, shapeOf } from './record.ts';
import type { ReadOptions } from './refusal.ts';
import { seconds } from './time.ts';

export interface FollowRecord {
  user_id: string;
  target_user_id: string;
  /** seconds; absent for now */
  timestamp?: number;
  action: 'follow' | 'unfollow';
  /** Names the follow, so that it can be taken back by this name alone. */
  event_id?: string;
}

export interface BlockRecord {
  user_id: string;
  target_user_id: string;
  action: 'block' | 'unblock';
}

interface FollowFields extends Omit<FollowRecord, 'action'> {
  action?: FollowRecord['action'];
}

interface BlockFields extends Omit<BlockRecord, 'action'> {
  action?: BlockRecord['action'];
}

export const FOLLOW_SHAPE = shapeOf<FollowFields>(
  {
    user_id: identifier,
    target_user_id: identifier,
    timestamp: seconds,
    action: oneOf(['follow', 'unfollow']),
    event_id: identifier,
  },
  ['user_id', 'target_user_id'],
);

export const BLOCK_SHAPE = shapeOf<BlockFields>(
  {
    user_id: identifier,
    target_user_id: identifier,
    action: oneOf(['block', 'unblock']),
  },
  ['user_id', 'target_user_id'],
);

const OTHER_USER = 'expected another user than user_id';

/** Parses a record of `POST …/follows` or a row of `follows.csv`. */
export function parseFollow(value: unknown, options?: ReadOptions): Parsed<FollowRecord | EventRemoval> {
  if (isEventRemoval(value, 'follow', ['target_user_id'])) return parseEventRemoval(value, 'follow', options);
  const read = readRecord(value, FOLLOW_SHAPE, options);
  if (!read.ok) return read;
  const { user_id, target_user_id, timestamp, action = 'follow', event_id } = read.record;
  if (user_id === target_user_id) return refused('/target_user_id', OTHER_USER);
  const record: FollowRecord = { user_id, target_user_id, action };
  if (timestamp !== undefined) record.timestamp = timestamp;
  if (event_id !== undefined) record.event_id = event_id;
  return { ok: true, record, warnings: read.warnings };
}

/** Parses a record of `POST …/blocks` or a row of `blocks.csv`. */
export function parseBlock(value: unknown): Parsed<BlockRecord> {
  const read = readRecord(value, BLOCK_SHAPE);
  if (!read.ok) return read;
  const { user_id, target_user_id, action = 'block' } = read.record;
  if (user_id === target_user_id) return refused('/target_user_id', OTHER_USER);
  return { ok: true, record: { user_id, target_user_id, action }, warnings: read.warnings };
}
