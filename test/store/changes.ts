import type { Change } from '../../src/model/change.ts';
import type { BlockChange } from '../../src/model/changes/block.ts';
import type { EventChange } from '../../src/model/changes/event.ts';
import type { FollowChange } from '../../src/model/changes/follow.ts';
import type { InteractionChange } from '../../src/model/changes/interaction.ts';
import type { TombstoneChange } from '../../src/model/changes/tombstone.ts';
import { NONE } from '../../src/model/key.ts';

const UNSTAMPED = { seq: 0, applied_at: 1_700_000_000 };

export function follow(user: number, target: number, applied_at = UNSTAMPED.applied_at): FollowChange {
  return { kind: 'follow', seq: 0, applied_at, user, target, timestamp: applied_at, action: 1 };
}

export function follows(count: number): FollowChange[] {
  return Array.from({ length: count }, (_, index) => follow(index, index + 1));
}

export function followList(user: number, followed: number[], unfollowed: number[]): Change {
  const lists = { followed: Uint32Array.from(followed), unfollowed: Uint32Array.from(unfollowed) };
  return { kind: 'follow_list', ...UNSTAMPED, user, ...lists, timestamp: 1_700_000_000.5 };
}

export function block(user: number, target: number): BlockChange {
  return { kind: 'block', ...UNSTAMPED, user, target, timestamp: 1_700_000_000.25, action: 1 };
}

export function interaction(user: number, item: number): InteractionChange {
  const timestamp = UNSTAMPED.applied_at;
  return { kind: 'interaction', ...UNSTAMPED, user, item, event_type: 1, action: 1, timestamp, event_id: '' };
}

export function named(space: 'user' | 'item', key: number, id: string): Change {
  return { kind: 'name', ...UNSTAMPED, space, key, id };
}

export function itemVersion(item: number, author: number, text: string): Change {
  return { kind: 'item', ...UNSTAMPED, item, author, content: { created_at: 1_699_999_999.5, text } };
}

export function userVersion(user: number, display_name: string): Change {
  return { kind: 'user', ...UNSTAMPED, user, content: { display_name } };
}

export function counted(item: number): Change {
  const counts = { likes_count: 2 ** 40, comments_count: NONE, shares_count: 0 };
  return { kind: 'engagement', ...UNSTAMPED, item, ...counts, updated_at: 1_700_000_000.25 };
}

export function deleted(item: number): Change {
  return { kind: 'deletion', ...UNSTAMPED, item };
}

/** The row of what a user saw. */
export function viewerOf(user: number): string {
  return (user >>> 0).toString(16).padStart(32, '0');
}

export function erased(user: number): Change {
  return { kind: 'erasure', ...UNSTAMPED, user, viewer: viewerOf(user) };
}

export function retired(...items: number[]): Change {
  return { kind: 'retirement', ...UNSTAMPED, items: Uint32Array.from(items) };
}

export function event(fields: Partial<EventChange>): EventChange {
  const named = { space: 'interaction' as const, user: 0, event_id: 'an event', event_hash: 17, list_id: '' };
  const about = { target: NONE, item: NONE, event_type: 0, action: 1, timestamp: 1_700_000_000.25 };
  return { kind: 'event', ...UNSTAMPED, ...named, ...about, ...fields };
}

export function tombstone(low: number, applied_at = UNSTAMPED.applied_at): TombstoneChange {
  const times = { deleted_at: applied_at - 0.125, versions_from: 0 };
  return { kind: 'tombstone', seq: 0, applied_at, space: 'item', low, high: -(2 ** 31), ...times };
}
