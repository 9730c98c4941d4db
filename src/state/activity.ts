import { COUNTERS, type Counter } from './change.ts';
import { firstCountedAt } from './first-count.ts';
import { grown } from './growable.ts';
import type { Interactions } from './interactions.ts';
import type { Items } from './items.ts';
import type { Users } from './users.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Lengths of the windows in which engagement is counted, seconds: from 5 minutes, each twice the one before. */
export const WINDOWS = [5, 10, 20, 40, 80, 160, 320, 640, 1280].map((minutes) => minutes * 60);
const LONGEST = WINDOWS[WINDOWS.length - 1];
const HOUR = 3600;
/**
 * What is dated earlier than so many seconds before an item was created tells nothing of its age: one client whose clock
 * stands at 1970 would take the item out of what is trending.
 */
export const BEFORE_CREATION_MAX = 366 * 24 * HOUR;

/** Marks that `met` can hold: some days' worth in a large community. */
export const MARKS_MAX = 2 ** 32 - 1;

/** Seconds added to an item's age in its lifetime rate. */
export const PRIOR_AGE = 7200;

const APPROVALS: readonly Counter[] = ['likes_count', 'shares_count'];

/** The parts of the state that tell how much was done with an item. */
export interface ActivitySource {
  readonly items: Items;
  readonly users: Users;
  readonly interactions: Interactions;
  readonly vocabulary: Vocabulary;
}

/**
 * How lately and how fast an item gathers likes, comments and shares, told by two that know different things: own acts
 * up to now, and an item's source up to its last count. What the source told of its last windows holds until it counts
 * again, for as long as the longest window, and own acts come on top: they never take away from it, or one like would
 * sink what a source counts now and then.
 * Of own acts each user counts once in a window, whatever they did there, so that nobody pushes an item alone. Of
 * counters, what a rise holds beyond the own acts since the count before is spread evenly over the time in between. The
 * first count is no rise: where there was none yet, what was counted beyond own acts is taken to go on at the pace of
 * the item's life.
 * Where a source counts likes or shares, comments, own ones too, count for nothing, as whoever comments mostly likes,
 * too, and some comment all day.
 * One instance is filled again and again.
 */
export class Activity {
  /** Engagement within the seconds of each of `WINDOWS` that are `observed`. */
  readonly within = new Float64Array(WINDOWS.length);
  /** For how many seconds of each window it was watched; 0: for less than half, and nothing follows from `within`. */
  readonly observed = new Float64Array(WINDOWS.length);
  /** Since it was created, or first engaged with, seconds. */
  age = 0;
  /** The last act or count, seconds; 0 without any. */
  last_at = 0;
  /** Engagement of all time, repeated acts in the longest window apart. */
  total = 0;
  comments = 0;
  comments_within_hour = 0;
  /** Users who engaged with the item within each of `WINDOWS` before now. */
  private readonly users = new Float64Array(WINDOWS.length);
  /** The mark of the measure in which each user was met last. */
  private met = new Uint32Array(64);

  /** @param marks given before, of which none is known any more */
  constructor(
    private readonly state: ActivitySource,
    private marks = 0,
  ) {}

  /** The last act or count that is not later than `now`; 0 without any. Mostly O(1). */
  lastAt(item: number, now: number): number {
    return Math.max(this.state.items.last_counted_at(item), this.lastAct(item, now));
  }

  /** O(the item's acts and counts within the longest window); all its acts where its source counted for the first time. */
  measure(item: number, now: number): void {
    const { items } = this.state;
    const counted_at = items.last_counted_at(item);
    const last_act = this.lastAct(item, now);
    const created_at = items.created_at(item);
    const first_act = this.firstAct(item, created_at - BEFORE_CREATION_MAX, now);
    const first_count = counted_at > 0 ? this.firstCount(item, created_at - BEFORE_CREATION_MAX) : now;
    const begun_at = Math.min(created_at, first_act, first_count);
    this.last_at = Math.max(counted_at, last_act);
    this.age = Math.max(0, now - begun_at);
    this.comments = items.comments_count(item);
    this.comments_within_hour = 0;
    this.within.fill(0);
    this.users.fill(0);
    const paced = this.paced(item);
    const repeated = last_act > 0 ? this.countActs(item, now, paced) : 0;
    this.total = Math.max(0, this.pacedTotal(item) - repeated);
    const holds = counted_at > 0 && now - counted_at < LONGEST;
    const counted_until = Math.min(counted_at, now);
    if (holds && items.has_former_counts(item)) this.spreadRises(item, counted_until, paced);
    const watched_from = counted_at > 0 ? Math.min(first_count, first_act) : begun_at;
    const watched = last_act > 0 || !holds ? Math.max(0, now - watched_from) : 0;
    this.observe(item, holds ? Math.max(0, counted_until - first_count) : 0, watched, holds);
  }

  /** Users who engaged with the item, and what its counters rose beyond them, later than `since`. */
  gained(item: number, since: number, now: number): number {
    const log = this.state.interactions.by_item;
    this.met = grown(this.met, this.state.users.size);
    const mark = this.nextMark();
    const paced_types = this.typesOf(this.paced(item));
    let users = 0;
    for (let at = log.end(item) - 1; at >= log.start(item) && log.timestamp(at) > since; at--) {
      const user = log.other(at);
      if (log.counts(at, paced_types) === 0) continue;
      if (log.timestamp(at) > now || this.met[user] === mark) continue;
      this.met[user] = mark;
      users++;
    }
    let risen = 0;
    if (this.state.items.has_former_counts(item)) {
      for (const counter of this.paced(item)) {
        this.visitRises(item, counter, since, (rise, from, until) => {
          risen += rise * shareWithin(from, until, since, now);
        });
      }
    }
    return users + risen;
  }

  /** One that no user has. */
  private nextMark(): number {
    if (this.marks === MARKS_MAX) {
      this.met.fill(0);
      this.marks = 0;
    }
    return ++this.marks;
  }

  /** What the counters that an item's pace is told by come to. */
  pacedTotal(item: number): number {
    return this.paced(item).reduce((sum, counter) => sum + this.state.items[counter](item), 0);
  }

  /** The counters that an item's pace is told by: what its source counts decides, so that no own act does. */
  private paced(item: number): readonly Counter[] {
    const { items } = this.state;
    for (const counter of APPROVALS) if (items.source(item, counter) > 0) return APPROVALS;
    return COUNTERS;
  }

  /** The kinds of acts that move some counters, a bit for each. */
  private typesOf(counters: readonly Counter[]): number {
    const { counted } = this.state.vocabulary;
    return counters.reduce((types, counter) => types | counted[counter], 0);
  }

  /** Time of the latest act that counts and is not later than `now`; 0 without one. */
  private lastAct(item: number, now: number): number {
    const log = this.state.interactions.by_item;
    const { counted_by_any } = this.state.vocabulary;
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      if (log.counts(at, counted_by_any) === 1 && log.timestamp(at) <= now) return log.timestamp(at);
    }
    return 0;
  }

  /** Time of the first act, of whatever kind, later than `since`; `otherwise` without one. */
  private firstAct(item: number, since: number, otherwise: number): number {
    const log = this.state.interactions.by_item;
    const end = log.end(item);
    let first = log.start(item);
    if (first < end && log.timestamp(first) <= since) first = log.firstAfter(item, since);
    while (first < end && log.removed(first)) first++;
    return first < end ? log.timestamp(first) : otherwise;
  }

  /** When the source counted first; when it was created if it did so before `since`. */
  private firstCount(item: number, since: number): number {
    const { items } = this.state;
    const first = firstCountedAt(items, item);
    return first < since ? items.created_at(item) : first;
  }

  /**
   * Own acts up to now. Returns how often the `paced` counters were moved in the longest window by users who
   * moved them again later.
   */
  private countActs(item: number, now: number, paced: readonly Counter[]): number {
    const log = this.state.interactions.by_item;
    const { counted, counted_by_any } = this.state.vocabulary;
    const paced_types = this.typesOf(paced);
    this.met = grown(this.met, this.state.users.size);
    const mark = this.nextMark();
    let repeated = 0;
    let window = 0;
    let users = 0;
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      const age = now - log.timestamp(at);
      if (age >= LONGEST) break;
      if (age < 0 || log.counts(at, counted_by_any) === 0) continue;
      for (; age >= WINDOWS[window]; window++) this.users[window] = users;
      if (age < HOUR) this.comments_within_hour += log.counts(at, counted.comments_count);
      if (log.counts(at, paced_types) === 0) continue;
      const user = log.other(at);
      if (this.met[user] === mark) repeated++;
      else users++;
      this.met[user] = mark;
    }
    for (; window < WINDOWS.length; window++) this.users[window] = users;
    return repeated;
  }

  /** What the source's counters rose beyond own acts in the windows before it last counted. */
  private spreadRises(item: number, counted_until: number, paced: readonly Counter[]): void {
    const { within } = this;
    for (const counter of paced) {
      this.visitRises(item, counter, counted_until - LONGEST, (rise, from, until) => {
        for (let window = WINDOWS.length - 1; window >= 0; window--) {
          const share = shareWithin(from, until, counted_until - WINDOWS[window], counted_until);
          if (share === 0) break;
          within[window] += rise * share;
        }
      });
    }
    this.visitRises(item, 'comments_count', counted_until - HOUR, (rise, from, until) => {
      this.comments_within_hour += rise * shareWithin(from, until, counted_until - HOUR, counted_until);
    });
  }

  /**
   * Adds own acts to what the source told, window by window.
   * @param counted how long the source had counted when it last did, seconds
   * @param watched how long own acts have been watched, seconds; 0 without any, while what the source told holds
   * @param holds whether what it told does
   */
  private observe(item: number, counted: number, watched: number, holds: boolean): void {
    const { within, observed, users } = this;
    let pace = Number.NaN;
    for (let window = WINDOWS.length - 1; window >= 0; window--) {
      const length = WINDOWS[window];
      const by_source = Math.min(length, counted);
      const by_acts = Math.min(length, watched);
      if (by_source > length / 2) {
        observed[window] = by_source;
        // As many as in so many seconds.
        if (users[window] > 0) within[window] += (users[window] * by_source) / by_acts;
      } else if (by_acts > length / 2) {
        observed[window] = by_acts;
        if (Number.isNaN(pace)) pace = holds ? this.lifetimePace(item) : 0;
        within[window] = users[window] + pace * by_acts;
      } else {
        observed[window] = 0;
        within[window] += users[window];
      }
    }
  }

  /** What the source counted beyond own acts, per second of the item's life: what its rate is as long as nobody acts. */
  private lifetimePace(item: number): number {
    const { items, interactions, vocabulary } = this.state;
    let beyond = 0;
    for (const counter of this.paced(item)) {
      const types = vocabulary.counted[counter];
      const own = interactions.by_item.count(item, types, 0, items.counted_at(item, counter));
      beyond += Math.max(0, items.source(item, counter) - own);
    }
    return beyond > 0 ? (beyond + 1) / (this.age + PRIOR_AGE) : 0;
  }

  /** Every rise of a counter beyond own acts that ends later than `since`: how much, from when until when. */
  private visitRises(
    item: number,
    counter: Counter,
    since: number,
    visit: (rise: number, from: number, until: number) => void,
  ): void {
    const { items, interactions, vocabulary } = this.state;
    const list = items.former_list(item, counter);
    const former = items.former_counts;
    const has_acts = interactions.by_item.length(item) > 0;
    let until = items.counted_at(item, counter);
    let count = items.source(item, counter);
    for (let at = former.end(list) - 1; at >= former.start(list) && until > since; at--) {
      const from = former.time(at);
      const own = has_acts ? interactions.by_item.count(item, vocabulary.counted[counter], from, until) : 0;
      const rise = count - former.count(at) - own;
      if (rise > 0) visit(rise, from, until);
      until = from;
      count = former.count(at);
    }
  }
}

/** The share of (since, until] that lies in (from, to]. */
function shareWithin(since: number, until: number, from: number, to: number): number {
  const overlap = Math.min(until, to) - Math.max(since, from);
  if (overlap <= 0) return 0;
  return until > since ? overlap / (until - since) : 1;
}
