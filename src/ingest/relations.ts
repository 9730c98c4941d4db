import type { Key } from '../state/change.ts';
import type { BlockRecord, FollowRecord } from './records/index.ts';

/** Names of queued changes between two users. */
function followPair(user: Key, target: Key): string {
  return `follow ${user} ${target}`;
}

function blockPair(user: Key, target: Key): string {
  return `block ${user} ${target}`;
}

/** The kinds of relations between two users. */
export type Relation = 'follow' | 'block';

export const RELATION_PAIR = { follow: followPair, block: blockPair } as const satisfies Record<
  Relation,
  (user: Key, target: Key) => string
>;

/** The relation that a record is about. */
export function relationOf({ action }: FollowRecord | BlockRecord): Relation {
  return action === 'block' || action === 'unblock' ? 'block' : 'follow';
}
