import { grown } from '../columns/growable.ts';
import { COUNTERS, type Counter } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import type { Interactions } from './interactions.ts';
import type { Items } from './items.ts';
import type { Users } from './users.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The time of the source's first known count of any counter of an item. 0 if it never counted. */
function firstCountedAt(items: Items, item: number): number {
  const { former_counts } = items;
  let first = 0;
  for (const counter of COUNTERS) {
    const list = items.former_list(item, counter);
    const former = list !== NONE && former_counts.start(list) < former_counts.end(list);
    const time = former ? former_counts.time(former_counts.start(list)) : items.counted_at(item, counter);
    if (time > 0 && (first === 0 || time < first)) first = time;
  }
  return first;
}

/** Window lengths for engagement in seconds: from 5 minutes, each twice the previous one. */
export const WINDOWS = [5, 10, 20, 40, 80, 160, 320, 640, 1280].map((minutes) => minutes * 60);
const LONGEST = WINDOWS[WINDOWS.length - 1];
const HOUR = 3600;
/**
 * Events dated more seconds than this before an item's creation are ignored for its age.
 *
 * Otherwise one client with a clock at 1970 would remove the item from the trending items.
 */
export const BEFORE_CREATION_MAX = 366 * 24 * HOUR;

/** The largest mark that `visited` can hold. A large community uses them up in a few days. */
export const MARKS_MAX = 2 ** 32 - 1;

/** Seconds added to an item's age in its lifetime rate. */
export const PRIOR_AGE = 7200;

const APPROVALS: readonly Counter[] = ['likes_count', 'shares_count'];

/** The parts of the state that contain the activity of items. */
export interface ActivitySource {
  readonly items: Items;
  readonly users: Users;
  readonly interactions: Interactions;
  readonly vocabulary: Vocabulary;
}

/**
 * How recently and how fast an item gathers likes, comments and shares.
 *
 * There are two inputs: own acts up to now, and the source's counts up to its last one. The source's windows stay
 * valid until its next count, but at most for the longest window. Own acts are added to them and never reduce them, or
 * one like would push down an item that a source counts rarely.
 *
 * Own acts: each user counts once per window, so a single user cannot push an item. Counters: the part of a rise that
 * own acts since the previous count do not explain is spread evenly over the time in between. The first count is not a
 * rise. If a window has no earlier count, the part that own acts do not explain continues at the item's lifetime rate.
 *
 * If the source counts likes or shares, comments are ignored, own ones included: most users who comment also like, and
 * some users comment all day.
 *
 * One instance is reused for many items.
 */
export class Activity {
  /** Engagement within the `observed` seconds of each of `WINDOWS`. */
  readonly within = new Float64Array(WINDOWS.length);
  /** Observed seconds of each window. 0: less than half was observed, and `within` means nothing. */
  readonly observed = new Float64Array(WINDOWS.length);
  /** Seconds since creation or the first engagement, whichever is earlier. */
  age = 0;
  /** Time of the last act or count in seconds. 0 without any. */
  last_at = 0;
  /** Engagement of all time without repeated acts in the longest window. */
  total = 0;
  comments = 0;
  comments_within_hour = 0;
  /** Users who engaged with the item within each of `WINDOWS` before now. */
  private readonly users = new Float64Array(WINDOWS.length);
  /** For each user, the mark of the last pass that visited them. */
  private visited = new Uint32Array(64);

  /** @param marks the last mark that was used; tests start near the maximum */
  constructor(
    private readonly state: ActivitySource,
    private marks = 0,
  ) {}

  /** The time of the last act or count that is not later than `now`. 0 without any. Usually O(1). */
  lastAt(item: number, now: number): number {
    return Math.max(this.state.items.last_counted_at(item), this.lastAct(item, now));
  }

  /**
   * Fills the fields for an item.
   *
   * O(the item's acts and counts within the longest window). O(all its acts) in windows with the source's first count.
   */
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
    const rate_counters = this.rateCounters(item);
    const repeated = last_act > 0 ? this.countActs(item, now, rate_counters) : 0;
    this.total = Math.max(0, this.rateTotal(item) - repeated);
    const holds = counted_at > 0 && now - counted_at < LONGEST;
    const counted_until = Math.min(counted_at, now);
    if (holds && items.has_former_counts(item)) this.spreadRises(item, counted_until, rate_counters);
    const watched_from = counted_at > 0 ? Math.min(first_count, first_act) : begun_at;
    const watched = last_act > 0 || !holds ? Math.max(0, now - watched_from) : 0;
    this.observe(item, holds ? Math.max(0, counted_until - first_count) : 0, watched, holds);
  }

  gained(item: number, since: number, now: number): number {
    const log = this.state.interactions.by_item;
    this.visited = grown(this.visited, this.state.users.size);
    const mark = this.nextMark();
    const rate_types = this.typesOf(this.rateCounters(item));
    let users = 0;
    for (let at = log.end(item) - 1; at >= log.start(item) && log.timestamp(at) > since; at--) {
      const user = log.other(at);
      if (log.counts(at, rate_types) === 0) continue;
      if (log.timestamp(at) > now || this.visited[user] === mark) continue;
      this.visited[user] = mark;
      users++;
    }
    let risen = 0;
    if (this.state.items.has_former_counts(item)) {
      for (const counter of this.rateCounters(item)) {
        this.visitRises(item, counter, since, (rise, from, until) => {
          risen += rise * shareWithin(from, until, since, now);
        });
      }
    }
    return users + risen;
  }

  private nextMark(): number {
    if (this.marks === MARKS_MAX) {
      this.visited.fill(0);
      this.marks = 0;
    }
    return ++this.marks;
  }

  rateTotal(item: number): number {
    return this.rateCounters(item).reduce((sum, counter) => sum + this.state.items[counter](item), 0);
  }

  /** The counters that define an item's rate. Only source counts decide this, never own acts. */
  private rateCounters(item: number): readonly Counter[] {
    const { items } = this.state;
    for (const counter of APPROVALS) if (items.source(item, counter) > 0) return APPROVALS;
    return COUNTERS;
  }

  private typesOf(counters: readonly Counter[]): number {
    const { counted } = this.state.vocabulary;
    return counters.reduce((types, counter) => types | counted[counter], 0);
  }

  private lastAct(item: number, now: number): number {
    const log = this.state.interactions.by_item;
    const { counted_by_any } = this.state.vocabulary;
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      if (log.counts(at, counted_by_any) === 1 && log.timestamp(at) <= now) return log.timestamp(at);
    }
    return 0;
  }

  private firstAct(item: number, since: number, otherwise: number): number {
    const log = this.state.interactions.by_item;
    const end = log.end(item);
    let first = log.start(item);
    if (first < end && log.timestamp(first) <= since) first = log.firstAfter(item, since);
    while (first < end && log.removed(first)) first++;
    return first < end ? log.timestamp(first) : otherwise;
  }

  /** Time of the source's first count. The creation time if that count is before `since`. */
  private firstCount(item: number, since: number): number {
    const { items } = this.state;
    const first = firstCountedAt(items, item);
    return first < since ? items.created_at(item) : first;
  }

  /**
   * Counts own acts up to now.
   * @returns how often users moved the `rate_counters` counters more than once in the longest window
   */
  private countActs(item: number, now: number, rate_counters: readonly Counter[]): number {
    const log = this.state.interactions.by_item;
    const { counted, counted_by_any } = this.state.vocabulary;
    const rate_types = this.typesOf(rate_counters);
    this.visited = grown(this.visited, this.state.users.size);
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
      if (log.counts(at, rate_types) === 0) continue;
      const user = log.other(at);
      if (this.visited[user] === mark) repeated++;
      else users++;
      this.visited[user] = mark;
    }
    for (; window < WINDOWS.length; window++) this.users[window] = users;
    return repeated;
  }

  /** Adds the rises of the source's counters, beyond own acts, in the windows before its last count. */
  private spreadRises(item: number, counted_until: number, rate_counters: readonly Counter[]): void {
    const { within } = this;
    for (const counter of rate_counters) {
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
   * Adds own acts to the source's counts, for each window.
   * @param counted seconds between the source's first and last count
   * @param watched seconds for which own acts were observed; 0 without own acts while the source's counts are valid
   * @param holds whether the source's counts are still valid
   */
  private observe(item: number, counted: number, watched: number, holds: boolean): void {
    const { within, observed, users } = this;
    let rate = Number.NaN;
    for (let window = WINDOWS.length - 1; window >= 0; window--) {
      const length = WINDOWS[window];
      const by_source = Math.min(length, counted);
      const by_acts = Math.min(length, watched);
      if (by_source > length / 2) {
        observed[window] = by_source;
        // Scales up to the seconds that the source observed.
        if (users[window] > 0) within[window] += (users[window] * by_source) / by_acts;
      } else if (by_acts > length / 2) {
        observed[window] = by_acts;
        if (Number.isNaN(rate)) rate = holds ? this.lifetimeRate(item) : 0;
        within[window] = users[window] + rate * by_acts;
      } else {
        observed[window] = 0;
        within[window] += users[window];
      }
    }
  }

  private lifetimeRate(item: number): number {
    const { items, interactions, vocabulary } = this.state;
    let beyond = 0;
    for (const counter of this.rateCounters(item)) {
      const types = vocabulary.counted[counter];
      const own = interactions.by_item.count(item, types, 0, items.counted_at(item, counter));
      beyond += Math.max(0, items.source(item, counter) - own);
    }
    return beyond > 0 ? (beyond + 1) / (this.age + PRIOR_AGE) : 0;
  }

  /** Visits every rise of a counter beyond own acts that ends after `since`. */
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
