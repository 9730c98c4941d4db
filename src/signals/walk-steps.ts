import type { Ordinal, WalkOptions } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { inversePowers } from './inverse-powers.ts';
import { repeatable, SignificantActs } from './significant-acts.ts';
import { WALK } from './walk-constants.ts';

const HOUR = 3600;
/** The age in hours at which an act counts half for current co-occurrence. */
const FRESH_HOURS = 72;

const AGE_SCALE = 1 / (FRESH_HOURS * HOUR);

/**
 * The steps of the walk viewer → item → user → item, newest entries first at each.
 *
 * Popular items and busy users say less about taste, so each step divides by a power of the degree, as in RP3beta
 * (Paudel et al., "Updatable, accurate, diverse and scalable recommendations for interactive applications", TiiS 2017).
 * Later acts count more, and so do acts that follow the act on the shared item. If all times are equal, all acts count
 * alike.
 */
export class WalkSteps {
  private readonly item_step = inversePowers(WALK.start);
  private readonly user_step = inversePowers(WALK.user);
  private readonly interest: Float64Array;
  private readonly of_users: SignificantActs;
  private readonly on_items: SignificantActs;
  /** Detects repeated acts of one user on a target. */
  private readonly repeats: Repeats;

  constructor(private readonly state: State) {
    this.interest = state.vocabulary.interest;
    this.of_users = SignificantActs.ofUsers(state);
    this.on_items = SignificantActs.onItems(state);
    this.repeats = new Repeats(repeatable(state));
  }

  /**
   * Visits the items of the viewer's latest acts, where the walk begins.
   *
   * An act counts less the more acts follow it, and the older it is than the latest act.
   */
  starts(viewer: Ordinal, options: WalkOptions, visit: (item: Ordinal, strength: number) => void): void {
    const { by_user, by_item } = this.state.interactions;
    const { history, half_life_hours, within_hours = Number.POSITIVE_INFINITY } = options;
    const { fades } = this.state.vocabulary.habits;
    const { interest, item_step, of_users } = this;
    of_users.choose(viewer, history);
    const { positions, count } = of_users;
    const newest = by_user.seconds(positions[0]);
    let later = 0;
    let seconds = newest;
    for (let place = 0; place < count; place++) {
      const at = positions[place];
      // Acts of the same time are equally late.
      if (by_user.seconds(at) !== seconds) later = place;
      seconds = by_user.seconds(at);
      const hours = (newest - seconds) / HOUR;
      // Older acts are even further away.
      if (hours > within_hours) return;
      const acts_since = fades ? later : 0;
      const lateness = 1 / (Math.sqrt(acts_since + 1) * (1 + hours / half_life_hours));
      const item = by_user.other(at);
      visit(item, interest[by_user.event_type(at)] * lateness * item_step(by_item.standing(item)));
    }
  }

  /**
   * The last two steps: adds recent items of an item's latest `users` (`SignificantActs`) to `into`.
   *
   * It reads up to `items` entries per user and up to `entries` in total, without the item itself. Of repeated acts of
   * a user on a target, only the latest counts. At least half of the entries are for approving users. O(users +
   * entries).
   */
  spread(item: Ordinal, users: number, items: number, into: Accumulator, entries = users * items): void {
    const { by_user, by_item } = this.state.interactions;
    const { approving } = this.state.vocabulary;
    this.on_items.choose(item, users);
    const { positions, count } = this.on_items;
    const of_approvals = this.entriesOfApprovals(positions, count, items);
    let left = entries;
    let left_for_weak = entries - Math.min(of_approvals, entries >> 1);
    for (let place = 0; place < count && left > 0; place++) {
      const visit = positions[place];
      const user = by_item.other(visit);
      // Some acts of a recently hidden user may not be suspended yet.
      if (this.state.users.hidden(user)) continue;
      const approves = ((approving >> by_item.event_type(visit)) & 1) === 1;
      const most = Math.min(items, approves ? left : Math.min(left, left_for_weak));
      const stop = oldest(by_user, user, most);
      const read = by_user.end(user) - stop;
      left -= read;
      if (!approves) left_for_weak -= read;
      this.addChosen(visit, item, user, stop, into);
    }
  }

  /** Adds the items of a visit's user, from the newest entry to the one at `stop`. */
  private addChosen(visit: number, item: Ordinal, user: Ordinal, stop: number, into: Accumulator): void {
    const { by_user, by_item } = this.state.interactions;
    const { backward } = this.state.vocabulary.habits;
    const now = this.state.applied_at;
    const { interest, repeats } = this;
    const { kinds } = repeats;
    const chosen_at = by_item.seconds(visit);
    const weight = interest[by_item.event_type(visit)] * this.user_step(by_user.length(user));
    repeats.begin(this.state.items.size);
    for (let at = by_user.end(user) - 1; at >= stop; at--) {
      const event_type = by_user.event_type(at);
      const says = interest[event_type];
      const target = by_user.other(at);
      if (says === 0 || target === item || by_user.removed(at)) continue;
      if (((kinds >> event_type) & 1) !== 0 && repeats.again(target, event_type)) continue;
      const seconds = by_user.seconds(at);
      const direction = seconds < chosen_at ? backward : 1;
      into.add(target, (weight * says * direction) / (1 + (now - seconds) * AGE_SCALE));
    }
  }

  /** The number of entries that a spread would read of approving users. */
  private entriesOfApprovals(visits: Int32Array, count: number, items: number): number {
    const { by_user, by_item } = this.state.interactions;
    const { approving } = this.state.vocabulary;
    let entries = 0;
    for (let place = 0; place < count; place++) {
      const visit = visits[place];
      if (((approving >> by_item.event_type(visit)) & 1) === 0) continue;
      entries += Math.min(items, by_user.length(by_item.other(visit)));
    }
    return entries;
  }
}

/** The position of the oldest of a subject's latest `limit` entries. */
function oldest(log: InteractionLog, subject: number, limit: number): number {
  return Math.max(log.start(subject), log.end(subject) - limit);
}
