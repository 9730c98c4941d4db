/** Records of relations between users: follows and blocks. */
import { identifier, oneOf } from './checks.ts';
import { type EventRemoval, isEventRemoval, parseEventRemoval } from './event-removal.ts';
import { type Parsed, readRecord, refused, type Shape, shapeOf } from './record.ts';
import type { ReadOptions } from './refusal.ts';
import { seconds } from './time.ts';

interface Fields<Action extends string> {
  user_id: string;
  target_user_id: string;
  /** seconds; absent for now */
  timestamp?: number;
  action?: Action;
  /** Names the follow or block, so that it can be taken back by this name alone. */
  event_id?: string;
}

interface RelationRecord<Action extends string> extends Fields<Action> {
  action: Action;
}

type FollowAction = 'follow' | 'unfollow';
type BlockAction = 'block' | 'unblock';

export type FollowRecord = RelationRecord<FollowAction>;
export type BlockRecord = RelationRecord<BlockAction>;

export const FOLLOW_SHAPE = relationShape<FollowAction>(['follow', 'unfollow']);
export const BLOCK_SHAPE = relationShape<BlockAction>(['block', 'unblock']);

function relationShape<Action extends string>(actions: readonly Action[]): Shape<Fields<Action>> {
  const checks = {
    user_id: identifier,
    target_user_id: identifier,
    timestamp: seconds,
    action: oneOf(actions),
    event_id: identifier,
  };
  return shapeOf<Fields<Action>>(checks, ['user_id', 'target_user_id']);
}

/** Parses a record of `POST …/follows` or a row of `follows.csv`. */
export function parseFollow(value: unknown, options?: ReadOptions): Parsed<FollowRecord | EventRemoval> {
  return parseRelation<FollowAction>(value, 'follow', FOLLOW_SHAPE, options);
}

/** Parses a record of `POST …/blocks` or a row of `blocks.csv`. */
export function parseBlock(value: unknown, options?: ReadOptions): Parsed<BlockRecord | EventRemoval> {
  return parseRelation<BlockAction>(value, 'block', BLOCK_SHAPE, options);
}

function parseRelation<Action extends string>(
  value: unknown,
  kind: Action & EventRemoval['space'],
  shape: Shape<Fields<Action>>,
  options?: ReadOptions,
): Parsed<RelationRecord<Action> | EventRemoval> {
  if (isEventRemoval(value, kind, ['target_user_id'])) return parseEventRemoval(value, kind, options);
  const read = readRecord(value, shape, options);
  if (!read.ok) return read;
  const { user_id, target_user_id, timestamp, action = kind, event_id } = read.record;
  if (user_id === target_user_id) return refused('/target_user_id', 'expected another user than user_id');
  const record: RelationRecord<Action> = { user_id, target_user_id, action };
  if (timestamp !== undefined) record.timestamp = timestamp;
  if (event_id !== undefined) record.event_id = event_id;
  return { ok: true, record, warnings: read.warnings };
}
