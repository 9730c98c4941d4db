import type { Change, Key } from '../state/change.ts';

/** Maximum number of users whose latest changes are known one by one. */
const USERS_MAX = 200_000;

/** For each user, the `seq` of the latest change about them. The leader keeps it while it leads. */
export class LatestActs {
  private readonly by_user = new Map<Key, number>();
  private newest = 0;

  /** @param floor every user may have a change up to this `seq` */
  constructor(private floor: number) {}

  /** Notes applied changes. O(changes). */
  note(changes: readonly Change[]): void {
    for (const change of changes) {
      this.newest = change.seq;
      if ('user' in change) this.by_user.set(change.user, change.seq);
    }
    if (this.by_user.size < USERS_MAX) return;
    this.by_user.clear();
    this.floor = this.newest;
  }

  /** No change about the user has a higher `seq`. */
  of(user: Key): number {
    return this.by_user.get(user) ?? this.floor;
  }
}
