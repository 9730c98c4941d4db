import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Seconds } from '../clock.ts';
import type { State } from '../state/state.ts';
import { BOUNDS } from './bounds.ts';
import { isActive } from './eligibility.ts';

const KEPT_SECONDS = 60;
/** Without changes, users still become inactive. */
const KEPT_UNCHANGED_SECONDS = 3_600;
/** Users that are examined per turn of the event loop, and their followers. */
const SLICE_USERS = 500;
const SLICE_FOLLOWERS = 500_000;

interface Followed {
  key: number;
  followers: number;
}

/**
 * Active users with the most followers. Used for viewers of whom little is known.
 *
 * The list may lag, so every use checks its users again. It holds keys, because ordinals may be reused.
 */
export class PopularUsers {
  private listed: readonly Followed[] = [];
  private built: { seq: number; at: Seconds } | undefined;
  private building: Promise<void> | undefined;

  /** @param exact whether the list must reflect every change, for repeatable answers */
  constructor(
    private readonly state: State,
    private readonly clock: Clock,
    private readonly exact: boolean,
  ) {}

  /** The ordinals of the list and the numbers of their visible followers, most followers first. */
  get users(): Map<number, number> {
    const { names } = this.state.users;
    const users = new Map<number, number>();
    for (const { key, followers } of this.listed) {
      const user = names.ordinal(key);
      if (user >= 0) users.set(user, followers);
    }
    return users;
  }

  /** Starts to rebuild the list if it is due. Waits only if there is no list yet, or if it must be exact. */
  async refresh(): Promise<void> {
    if (!this.isDue()) return;
    this.building ??= this.build().finally(() => {
      this.building = undefined;
    });
    if (this.built === undefined || this.exact) await this.building;
  }

  private isDue(): boolean {
    const { built } = this;
    if (built === undefined) return true;
    const age_seconds = this.clock.now() - built.at;
    const changed = built.seq !== this.state.seq;
    if (this.exact) return changed || age_seconds !== 0;
    return age_seconds > (changed ? KEPT_SECONDS : KEPT_UNCHANGED_SECONDS) || age_seconds < 0;
  }

  /** O(users), or O(follows) while any user is hidden, in slices. */
  private async build(): Promise<void> {
    const { state } = this;
    const { users, follows } = state;
    const now = this.clock.now();
    const { seq } = state;
    let found: Followed[] = [];
    let fewest = -1;
    let examined = 0;
    let counted = 0;
    for (let user = 0; user < users.size; user++) {
      examined++;
      counted += follows.audience(user);
      if (examined >= SLICE_USERS || counted >= SLICE_FOLLOWERS) {
        await nextTurn();
        examined = 0;
        counted = 0;
      }
      if (!follows.hasMoreFollowers(user, fewest) || !users.names.holds(user)) continue;
      if (users.hidden(user) || !isActive(state, user, now)) continue;
      found.push({ key: users.names.key(user), followers: follows.followerCount(user) });
      if (found.length < 2 * BOUNDS.popular_max) continue;
      found = mostFollowed(found);
      // Equal numbers are still considered, since the order of keys decides between them.
      fewest = found[found.length - 1].followers - 1;
    }
    this.listed = mostFollowed(found);
    this.built = { seq, at: now };
  }
}

function mostFollowed(found: Followed[]): Followed[] {
  return found
    .sort((one, other) => other.followers - one.followers || one.key - other.key)
    .slice(0, BOUNDS.popular_max);
}
