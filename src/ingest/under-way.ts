import type { Change, Key } from '../state/change.ts';

/**
 * Users and items of whom changes are on their way to the store. What the state says of them is about to
 * change, so it cannot be told yet whether a record about them says anything new: `apply` will tell.
 */
export class UnderWay {
  private readonly users = new Map<Key, number>();
  private readonly items = new Map<Key, number>();

  /** Acts, follows or blocks of this user are under way. */
  hasUser(user: Key): boolean {
    return this.users.has(user);
  }

  /** Counters or the deletion of this item are under way. */
  hasItem(item: Key): boolean {
    return this.items.has(item);
  }

  queued(change: Change): void {
    this.count(change, 1);
  }

  applied(change: Change): void {
    this.count(change, -1);
  }

  /** A commit failed: nothing that was under way will come. */
  reset(): void {
    this.users.clear();
    this.items.clear();
  }

  private count(change: Change, by: 1 | -1): void {
    switch (change.kind) {
      case 'interaction':
      case 'follow':
      case 'block':
        countUp(this.users, change.user, by);
        break;
      case 'engagement':
      case 'deletion':
        countUp(this.items, change.item, by);
        break;
    }
  }
}

function countUp(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
