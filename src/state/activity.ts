import { COUNTERS, type Counter } from './change.ts';
import { grown } from './growable.ts';
import type { State } from './state.ts';

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

const APPROVALS: readonly Counter[] = ['likes_count', 'shares_count'];

/**
 * How lately and how fast an item gathers likes, comments and shares. Each user counts once in a window,
 * whatever they did there, so that nobody pushes an item alone. Of counters, what a rise holds beyond the
 * own acts since the count before is spread evenly over the time in between, and the first count is no rise.
 * Where acts came in since the last count, what rose with that count is taken to go on at its pace, for as long as it would
 * count without them; otherwise one like would sink what a source counts now and then;
 * comments of a counted item, own ones too, count for nothing while it is liked or shared, as whoever comments mostly
 * likes, too, and some comment all day.
 * One instance is filled again and again.
 */
export class Activity {
  /** Engagement within each of `WINDOWS` before `end`. */
  readonly within = new Float64Array(WINDOWS.length);
  /** Up to when engagement is known: the source's last count when nothing came in since, else now. */
  end = 0;
  /** How long it has been watched before `end`, seconds. */
  span = 0;
  /** Since it was created, or first engaged with, seconds. */
  age = 0;
  /** The last act or count, seconds; 0 without any. */
  last_at = 0;
  /** Engagement of all time, repeated acts in the longest window apart. */
  total = 0;
  comments = 0;
  comments_within_hour = 0;
  /** The mark of the measure in which each user was met last. */
  private met = new Uint32Array(64);

  /** @param marks given before, of which none is known any more */
  constructor(
    private readonly state: State,
    private marks = 0,
  ) {}

  /** The last act or count that is not later than `now`; 0 without any. Mostly O(1). */
  lastAt(item: number, now: number): number {
    return Math.max(this.state.items.last_counted_at(item), this.lastAct(item, now));
  }

  /** O(the item's acts and counts within the longest window). */
  measure(item: number, now: number): void {
    const { items } = this.state;
    const counted_at = items.last_counted_at(item);
    const last_act = this.lastAct(item, now);
    const created_at = items.created_at(item);
    const first_act = this.firstAct(item, created_at - BEFORE_CREATION_MAX, now);
    const first_count = counted_at > 0 ? this.firstCount(item, created_at - BEFORE_CREATION_MAX) : now;
    this.last_at = Math.max(counted_at, last_act);
    this.end = counted_at > 0 && last_act <= counted_at ? Math.min(counted_at, now) : now;
    const begun_at = Math.min(created_at, first_act, first_count);
    this.age = Math.max(0, now - begun_at);
    this.span = Math.max(0, this.end - (counted_at > 0 ? Math.min(first_count, first_act) : begun_at));
    this.within.fill(0);
    this.comments = items.comments_count(item);
    this.comments_within_hour = 0;
    const paced = this.paced(item);
    const repeated = last_act > 0 ? this.countActs(item, paced) : 0;
    this.total = Math.max(0, this.pacedTotal(item) - repeated);
    if (!items.has_former_counts(item)) return;
    const goes_on_until = this.end > counted_at && this.end - counted_at < LONGEST ? this.end : 0;
    for (const counter of paced) {
      const spread = (rise: number, from: number, until: number) => this.spread(rise, from, until);
      this.visitRises(item, counter, this.end - LONGEST, spread, goes_on_until);
    }
    const talk = (rise: number, from: number, until: number) => {
      this.comments_within_hour += rise * shareWithin(from, until, this.end - HOUR, this.end);
    };
    this.visitRises(item, 'comments_count', this.end - HOUR, talk, goes_on_until);
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
      if (((paced_types >> log.event_type(at)) & 1) === 0) continue;
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

  private counts(event_type: number): boolean {
    return this.state.vocabulary.isPublic(event_type);
  }

  /** What the counters that an item's pace is told by come to. */
  pacedTotal(item: number): number {
    return this.paced(item).reduce((sum, counter) => sum + this.state.items[counter](item), 0);
  }

  /** The counters that an item's pace is told by. */
  private paced(item: number): readonly Counter[] {
    const { items } = this.state;
    if (items.last_counted_at(item) === 0) return COUNTERS;
    return items.likes_count(item) + items.shares_count(item) > 0 ? APPROVALS : COUNTERS;
  }

  /** The kinds of acts that move some counters, a bit for each. */
  private typesOf(counters: readonly Counter[]): number {
    const { counted } = this.state.vocabulary;
    return counters.reduce((types, counter) => types | counted[counter], 0);
  }

  /** Time of the latest act that counts and is not later than `now`; 0 without one. */
  private lastAct(item: number, now: number): number {
    const log = this.state.interactions.by_item;
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      if (this.counts(log.event_type(at)) && log.timestamp(at) <= now) return log.timestamp(at);
    }
    return 0;
  }

  /** Time of the first act, of whatever kind, later than `since`; `otherwise` without one. */
  private firstAct(item: number, since: number, otherwise: number): number {
    const log = this.state.interactions.by_item;
    const end = log.end(item);
    let first = log.start(item);
    if (first < end && log.timestamp(first) <= since) first = log.firstAfter(item, since);
    return first < end ? log.timestamp(first) : otherwise;
  }

  /** When the source counted first; when it was created if it did so before `since`. */
  private firstCount(item: number, since: number): number {
    const { items } = this.state;
    const first = items.first_counted_at(item);
    return first < since ? items.created_at(item) : first;
  }

  /**
   * Own acts up to `end`. Returns how often the `paced` counters were moved in the longest window by users who
   * moved them again later.
   */
  private countActs(item: number, paced: readonly Counter[]): number {
    const log = this.state.interactions.by_item;
    const { end, within } = this;
    const { counted } = this.state.vocabulary;
    const paced_types = this.typesOf(paced);
    this.met = grown(this.met, this.state.users.size);
    const mark = this.nextMark();
    let repeated = 0;
    let window = 0;
    let users = 0;
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      const age = end - log.timestamp(at);
      if (age >= LONGEST) break;
      if (age < 0 || !this.counts(log.event_type(at))) continue;
      for (; age >= WINDOWS[window]; window++) within[window] = users;
      if (age < HOUR) this.comments_within_hour += (counted.comments_count >> log.event_type(at)) & 1;
      if (((paced_types >> log.event_type(at)) & 1) === 0) continue;
      const user = log.other(at);
      if (this.met[user] === mark) repeated++;
      else users++;
      this.met[user] = mark;
    }
    for (; window < WINDOWS.length; window++) within[window] = users;
    return repeated;
  }

  /**
   * Every rise of a counter beyond own acts that ends later than `since`: how much, from when until when.
   * @param goes_on_until one that the item's last count told goes on at its pace until then; 0: it does not
   */
  private visitRises(
    item: number,
    counter: Counter,
    since: number,
    visit: (rise: number, from: number, until: number) => void,
    goes_on_until = 0,
  ): void {
    const { items, interactions, vocabulary } = this.state;
    const list = items.former_list(item, counter);
    const former = items.former_counts;
    const has_acts = interactions.by_item.length(item) > 0;
    let until = items.counted_at(item, counter);
    let count = items.source(item, counter);
    let end = until === items.last_counted_at(item) ? Math.max(until, goes_on_until) : until;
    for (let at = former.end(list) - 1; at >= former.start(list) && end > since; at--) {
      const from = former.time(at);
      const own = has_acts ? interactions.by_item.count(item, vocabulary.counted[counter], from, until) : 0;
      const rise = count - former.count(at) - own;
      if (rise > 0) visit(until > from ? (rise * (end - from)) / (until - from) : rise, from, end);
      until = from;
      end = from;
      count = former.count(at);
    }
  }

  /** Spreads a rise over the time in which it happened. */
  private spread(rise: number, since: number, until: number): void {
    const { end, within } = this;
    for (let window = WINDOWS.length - 1; window >= 0; window--) {
      const share = shareWithin(since, until, end - WINDOWS[window], end);
      if (share === 0) break;
      within[window] += rise * share;
    }
  }
}

/** The share of (since, until] that lies in (from, to]. */
function shareWithin(since: number, until: number, from: number, to: number): number {
  const overlap = Math.min(until, to) - Math.max(since, from);
  if (overlap <= 0) return 0;
  return until > since ? overlap / (until - since) : 1;
}
