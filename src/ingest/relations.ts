import type { Key } from '../model/key.ts';
import type { BlockRecord, FollowRecord } from '../model/records/index.ts';

function followPair(user: Key, target: Key): string {
  return `follow ${user} ${target}`;
}

function blockPair(user: Key, target: Key): string {
  return `block ${user} ${target}`;
}

export type Relation = 'follow' | 'block';

export const RELATION_PAIR = { follow: followPair, block: blockPair } as const satisfies Record<
  Relation,
  (user: Key, target: Key) => string
>;

export function relationOf({ action }: FollowRecord | BlockRecord): Relation {
  return action === 'block' || action === 'unblock' ? 'block' : 'follow';
}
