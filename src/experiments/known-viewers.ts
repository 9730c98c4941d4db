import { setImmediate as nextTurn } from 'node:timers/promises';
import type { State } from '../state/state.ts';

/** Users that are looked at in one turn of the event loop. */
const USERS_AT_ONCE = 2_000;

/** Finds users by the hashes of viewers. About 8 to 16 bytes a user. */
export class KnownViewers {
  /** 1 + an ordinal, or 0. At least twice as many as users, a power of two. */
  private readonly slots: Uint32Array;

  private constructor(
    private readonly names: State['users']['names'],
    private readonly viewerOf: (user_id: string) => string,
    count: number,
  ) {
    let size = 1;
    while (size < 2 * count) size *= 2;
    this.slots = new Uint32Array(size);
  }

  /** Takes up the wanted users. O(users), with pauses. */
  static async of(
    { users: { names } }: State,
    viewerOf: (user_id: string) => string,
    isWanted: (user: number) => boolean,
  ): Promise<KnownViewers> {
    const wanted: number[] = [];
    for (let user = 0; user < names.size; user++) {
      if (user % USERS_AT_ONCE === USERS_AT_ONCE - 1) await nextTurn();
      if (names.holds(user) && isWanted(user)) wanted.push(user);
    }
    const known = new KnownViewers(names, viewerOf, wanted.length);
    for (const [at, user] of wanted.entries()) {
      if (at % USERS_AT_ONCE === USERS_AT_ONCE - 1) await nextTurn();
      if (names.holds(user)) known.slots[known.slotOf(viewerOf(names.id(user)))] = user + 1;
    }
    return known;
  }

  /** The ordinal of a user. NONE if it was not taken up, or was erased since. */
  find(viewer: string): number {
    return this.slots[this.slotOf(viewer)] - 1;
  }

  /** The slot of a viewer, or the one where it would be. */
  private slotOf(viewer: string): number {
    const mask = this.slots.length - 1;
    let slot = Number.parseInt(viewer.slice(0, 8), 16) & mask;
    while (this.slots[slot] !== 0 && !this.isOf(this.slots[slot] - 1, viewer)) slot = (slot + 1) & mask;
    return slot;
  }

  private isOf(user: number, viewer: string): boolean {
    return this.names.holds(user) && this.viewerOf(this.names.id(user)) === viewer;
  }
}
