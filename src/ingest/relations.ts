import { BLOCK } from '../model/changes/block.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import type { Key } from '../model/key.ts';
import type { BlockRecord, FollowRecord } from '../model/records/index.ts';
import type { State } from '../state/state.ts';

export type Relation = typeof FOLLOW.kind | typeof BLOCK.kind;

/** The name of a relation of two users among queued changes. */
export function relationPair(kind: Relation, user: Key, target: Key): string {
  return `${kind} ${user} ${target}`;
}

export function relationOf({ action }: FollowRecord | BlockRecord): Relation {
  return BLOCK.members.action.words?.includes(action) ? BLOCK.kind : FOLLOW.kind;
}

/** All relations of a kind. */
export function relationsIn({ follows, blocks }: State, kind: Relation): State['follows'] | State['blocks'] {
  return kind === FOLLOW.kind ? follows : blocks;
}
