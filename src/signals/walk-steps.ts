import type { Ordinal, WalkOptions } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import { Repeats } from '../state/repeats.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { inversePowers } from './inverse-powers.ts';
import { repeatable, TellingActs } from './telling-acts.ts';

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
  private readonly of_users: TellingActs;
  private readonly on_items: TellingActs;
  /** Of what one user did with each target. */
  private readonly repeats: Repeats;

  constructor(private readonly state: State) {
    this.interest = state.vocabulary.interest;
    this.of_users = TellingActs.ofUsers(state);
    this.on_items = TellingActs.onItems(state);
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
    const { interest, item_step, of_users } = this;
    of_users.choose(viewer, history);
    const { positions, count } = of_users;
    const newest = by_user.seconds(positions[0]);
    let later = 0;
    let seconds = newest;
    for (let place = 0; place < count; place++) {
      const at = positions[place];
      // Acts of the same moment are equally late.
      if (by_user.seconds(at) !== seconds) later = place;
      seconds = by_user.seconds(at);
      const hours = (newest - seconds) / HOUR;
      // What is older is no nearer.
      if (hours > within_hours) return;
      const acts_since = fades ? later : 0;
      const lateness = 1 / (Math.sqrt(acts_since + 1) * (1 + hours / half_life_hours));
      const item = by_user.other(at);
      visit(item, interest[by_user.event_type(at)] * lateness * item_step(by_item.standing(item)));
    }
  }

  /**
   * The last two steps: adds to `into` what the latest `users` of an item (`TellingActs`) chose lately, `items` entries
   * of each, but for the item itself, until `entries` have been read; of what one of them did again and again with a
   * target only the latest. As of places, those who approve are sure of half of the entries. O(users + entries).
   */
  spread(item: Ordinal, users: number, items: number, into: Accumulator, entries = users * items): void {
    const { by_user, by_item } = this.state.interactions;
    const { approving } = this.state.vocabulary;
    this.on_items.choose(item, users);
    const { positions, count } = this.on_items;
    const of_approvals = this.entriesOfApprovals(positions, count, items);
    let left = entries;
    let left_for_glances = entries - Math.min(of_approvals, entries >> 1);
    for (let place = 0; place < count && left > 0; place++) {
      const visit = positions[place];
      const user = by_item.other(visit);
      // Some acts of a user who was hidden a moment ago may not be suspended yet.
      if (this.state.users.hidden(user)) continue;
      const approves = ((approving >> by_item.event_type(visit)) & 1) === 1;
      const most = Math.min(items, approves ? left : Math.min(left, left_for_glances));
      const stop = oldest(by_user, user, most);
      const read = by_user.end(user) - stop;
      left -= read;
      if (!approves) left_for_glances -= read;
      this.addChosen(visit, item, user, stop, into);
    }
  }

  /** Adds what the user of a visit chose, from the newest entry to that at `stop`. */
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

  /** Entries that a spread would read of those who approve of an item. */
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

/** Position of the oldest of a subject's latest `limit` entries. */
function oldest(log: InteractionLog, subject: number, limit: number): number {
  return Math.max(log.start(subject), log.end(subject) - limit);
}
