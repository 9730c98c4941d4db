import { CHANGES_KEPT } from './change-ring.ts';

/**
 * Pairs of a user and an item between which something was done or taken back lately: what is derived of them must be
 * looked at again. `NONE` stands for all users, or for all items.
 */
export class ActRing {
  private readonly users = new Int32Array(CHANGES_KEPT);
  private readonly items = new Int32Array(CHANGES_KEPT);
  /** Pairs ever noted: the version of whatever is derived. */
  version = 0;

  note(user: number, item: number): void {
    const at = this.version++ % CHANGES_KEPT;
    this.users[at] = user;
    this.items[at] = item;
  }

  /**
   * Visits what was noted since `version`, oldest first, possibly repeated.
   * @returns whether that is all: false, and nothing visited, when older pairs have been overwritten
   */
  visitSince(version: number, visit: (user: number, item: number) => void): boolean {
    if (this.version - version > CHANGES_KEPT) return false;
    for (let noted = version; noted < this.version; noted++) {
      visit(this.users[noted % CHANGES_KEPT], this.items[noted % CHANGES_KEPT]);
    }
    return true;
  }
}
