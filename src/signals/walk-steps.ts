import type { Ordinal, WalkOptions } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { inversePowers } from './inverse-powers.ts';
import { LatestUsers, repeatable } from './latest-users.ts';
import { visitTellingActs } from './telling-acts.ts';

const HOUR = 3600;
/** The age, in hours, at which what somebody chose says half as much about what is chosen with it now. */
const FRESH_HOURS = 72;

const AGE_SCALE = 1 / (FRESH_HOURS * HOUR);

/**
 * The steps of the walk viewer → item → user → item, newest entries first at each. Many-handed items and
 * busy users tell less about taste: each step divides by a power of the degree, as RP3beta does (Paudel et
 * al., "Updatable, accurate, diverse and scalable recommendations for interactive applications", TiiS
 * 2017). Steps in time count more the later and the more onward they lead; where all times are equal, they
 * count alike.
 */
export class WalkSteps {
  private readonly item_step = inversePowers(0.65);
  private readonly user_step = inversePowers(0.5);
  /** How much each kind of interaction says about interest. */
  private readonly interest: Float64Array;
  private readonly latest: LatestUsers;
  /** Of what one user did with each target. */
  private readonly repeats: Repeats;
  /** Kept so that no compiler leaves the reading out. */
  degrees_ahead = 0;
  newest_ahead = 0;

  constructor(private readonly state: State) {
    this.interest = state.vocabulary.interest;
    this.latest = new LatestUsers(state);
    this.repeats = new Repeats(repeatable(state));
  }

  /**
   * Where the walk begins: the items of the viewer's latest acts. One counts less the more acts came after it
   * and the longer before the latest it was.
   */
  starts(viewer: Ordinal, options: WalkOptions, visit: (item: Ordinal, strength: number) => void): void {
    const { by_user, by_item } = this.state.interactions;
    const { history, half_life_hours, within_hours = Number.POSITIVE_INFINITY } = options;
    const { fades } = this.state.vocabulary.habits;
    this.degrees_ahead = this.readDegreesAhead(viewer, history);
    let newest = 0;
    let visited = 0;
    let later = 0;
    let seconds = 0;
    visitTellingActs(this.state, viewer, history, (item, interest, at) => {
      // Acts of the same moment are equally late.
      if (visited === 0) newest = by_user.seconds(at);
      if (by_user.seconds(at) !== seconds) later = visited;
      seconds = by_user.seconds(at);
      visited++;
      const hours = (newest - seconds) / HOUR;
      if (hours > within_hours) return;
      const acts_since = fades ? later : 0;
      const lateness = 1 / (Math.sqrt(acts_since + 1) * (1 + hours / half_life_hours));
      visit(item, interest * lateness * this.item_step(by_item.length(item)));
    });
  }

  /**
   * Reads how many users the viewer's latest items have: most of it is not in the processor's cache, and in a loop this
   * short it fetches many at once.
   */
  private readDegreesAhead(viewer: Ordinal, history: number): number {
    const { by_user, by_item } = this.state.interactions;
    const stop = oldest(by_user, viewer, history);
    let degrees = 0;
    for (let at = by_user.end(viewer) - 1; at >= stop; at--) degrees += by_item.length(by_user.other(at));
    return degrees;
  }

  /**
   * The last two steps: adds to `into` what the latest `users` of an item (`LatestUsers`) chose lately, `items` entries
   * of each, but for the item itself, until `entries` have been read; of what one of them did again and again with a
   * target only the latest. As of places, those who approve are sure of half of the entries. O(users + entries).
   */
  spread(item: Ordinal, users: number, items: number, into: Accumulator, entries = users * items): void {
    const { latest } = this;
    latest.choose(item, users);
    const { approvals, approval_count, glances, glance_count } = latest;
    const of_approvals = this.readEntriesAhead(approvals, approval_count, items);
    const of_glances = this.readEntriesAhead(glances, glance_count, items);
    const left = entries - Math.min(of_glances, Math.max(entries >> 1, entries - of_approvals));
    this.spreadFrom(item, approvals, approval_count, items, into, left);
    this.spreadFrom(item, glances, glance_count, items, into, entries - Math.min(of_approvals, left));
  }

  private spreadFrom(
    item: Ordinal,
    visits: Int32Array,
    count: number,
    items: number,
    into: Accumulator,
    entries: number,
  ): void {
    const { by_user, by_item } = this.state.interactions;
    const { backward } = this.state.vocabulary.habits;
    const now = this.state.applied_at;
    const { interest, repeats } = this;
    const { kinds } = repeats;
    const targets = this.state.items.size;
    let left = entries;
    for (let index = 0; index < count && left > 0; index++) {
      const visit = visits[index];
      const user = by_item.other(visit);
      const chosen_at = by_item.seconds(visit);
      const weight = interest[by_item.event_type(visit)] * this.user_step(by_user.length(user));
      const stop = Math.max(oldest(by_user, user, items), by_user.end(user) - left);
      left -= by_user.end(user) - stop;
      repeats.begin(targets);
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
  }

  /**
   * Entries that a spread would read of some users of an item. Reads each one's newest, as most are not in the
   * processor's cache, and in a loop this short it fetches many at once: a fifth of a walk of 10 × 10.
   */
  private readEntriesAhead(visits: Int32Array, count: number, items: number): number {
    const { by_user, by_item } = this.state.interactions;
    let entries = 0;
    let newest = 0;
    for (let index = 0; index < count; index++) {
      const user = by_item.other(visits[index]);
      newest ^= by_user.other(by_user.end(user) - 1);
      entries += Math.min(items, by_user.length(user));
    }
    this.newest_ahead = newest;
    return entries;
  }
}

/** Position of the oldest of a subject's latest `limit` entries. */
function oldest(log: InteractionLog, subject: number, limit: number): number {
  return Math.max(log.start(subject), log.end(subject) - limit);
}
