import { seededRandom } from '../clock.ts';
import { type List, ListLearner } from '../learner/list-learner.ts';
import { Activity, type ActivitySource, BEFORE_CREATION_MAX, PRIOR_AGE, WINDOWS } from './activity.ts';
import { type Key, NONE } from './change.ts';
import { FEATURES, joined, type TrendForm, takenApart, withItems } from './trend-form.ts';

/** Engagements that a window needs to count as much as the next longer one. */
const SHRINKAGE = 8;
const HOUR = 3600;

/** A list of items that are engaged with now is noted so often (seconds) … */
export const LIST_EVERY = 600;
export const LIST_SIZE = 32;
/** … drawn from the engagements of so many seconds, and at most so many engagements; … */
const RECENCY = 2 * HOUR;
export const RECENT = 1024;
/** Positions of a ring of that size, a power of two. */
const RING_MASK = RECENT - 1;
/** … and so much later it is learnt what became of them. */
export const HORIZON = 2 * HOUR;

/** Items that were engaged with at one moment, and what was known of them then. */
type Noted = TrendForm<number>['noted'][number];

/**
 * Predicts which items will be engaged with in the next hours. First guess: a chain of rates over ever
 * shorter windows, each shrunk towards the one before, which needs no experience. A learner corrects it by
 * what then really happened: every ten minutes of the stream a list of items that are engaged with is
 * noted, and two hours later their engagement since is what it learns from.
 *
 * Part of the fold: `tick` and `observe` are called by `apply` alone, all time is `applied_at`, and what
 * chance draws is drawn from a seed. What depends on acts that a purge removes is stored beforehand
 * (`numbers`), so a fold over what remains goes on from there.
 */
export class Trend {
  static readonly transient = ['state', 'activity', 'features'];
  private readonly activity: Activity;
  private readonly learner: ListLearner;
  /** The latest engagements, a ring: items and when. */
  private readonly recent_items = new Int32Array(RECENT);
  private readonly recent_times = new Float64Array(RECENT);
  /** When the first engagement that is known happened, seconds; Infinity before that. */
  private begun_at = Number.POSITIVE_INFINITY;
  /** Engagements observed so far. */
  events = 0;
  private noted: Noted[] = [];
  private next_list = 0;
  private next_minute = 0;
  /** Counts draws: each list draws from a seed of its own. */
  private lists = 0;
  private readonly features = new Float64Array(FEATURES);

  constructor(private readonly state: ActivitySource) {
    this.activity = new Activity(state);
    this.learner = new ListLearner(FEATURES, LIST_SIZE, seededRandom(1));
  }

  /** When anything was last engaged with, seconds; 0 before that. */
  get newest(): number {
    return this.events === 0 ? 0 : this.recent_times[(this.events - 1) % RECENT];
  }

  /** Engagement has been watched long enough for its pace to be told from its amount. */
  paceKnown(now: number): boolean {
    return now - this.begun_at >= HORIZON;
  }

  /**
   * Engagements per hour expected of an item in the next hours, up to a factor that all items share: only
   * comparable at the same `now`. 1 to 3 µs, more for items with thousands of acts a day.
   */
  rate(item: number, now: number): number {
    if (now - this.activity.lastAt(item, now) >= WINDOWS[WINDOWS.length - 1])
      return this.dormantRate(item, now);
    const expected = this.measure(item, now);
    return Math.exp(expected + this.learner.correction(this.features));
  }

  /** What is due when the stream's time reaches `applied_at`, before what happens then. */
  tick(applied_at: number): void {
    if (applied_at < this.next_minute) return;
    const minute = Math.floor(applied_at / 60) * 60;
    this.next_minute = minute + 60;
    this.note(minute);
    while (this.noted.length > 0 && this.noted[0].time + HORIZON <= minute) {
      const noted = this.noted.shift();
      if (noted !== undefined) this.learn(noted, minute);
    }
  }

  /**
   * An item was liked, commented or shared, or counted anew.
   * @param happened_at earlier than `applied_at` when a source tells of its past
   */
  observe(item: number, applied_at: number, happened_at: number): void {
    const known_at = this.state.items.created_at(item) || applied_at;
    if (happened_at > known_at - BEFORE_CREATION_MAX) this.begun_at = Math.min(this.begun_at, happened_at);
    const at = this.events++ % RECENT;
    this.recent_items[at] = item;
    this.recent_times[at] = applied_at;
  }

  /** Everything that it knows, with items as keys, for `restore`. */
  numbers(): Float64Array {
    return joined(withItems(this.form(), (item) => this.keyOf(item)));
  }

  /** Takes over what `numbers` gave. Items that have been erased since are left out. */
  restore(numbers: Float64Array): void {
    const form = withItems(takenApart(numbers), (key) => this.itemOf(key));
    this.begun_at = form.begun_at;
    this.next_list = form.next_list;
    this.next_minute = form.next_minute;
    this.lists = form.lists;
    // The ring's positions follow from the count, and so does what chance draws.
    this.events = form.events - form.recent.length;
    for (const { item, time } of form.recent) this.observe(item, time, this.begun_at);
    this.noted = form.noted;
    this.learner.restore(form.learner);
  }

  /** Whether it could take over what a learner elsewhere knows. */
  acceptsLearner(numbers: Float64Array): boolean {
    return this.learner.accepts(numbers);
  }

  /** Everything that it knows, with items as ordinals. */
  form(): TrendForm<number> {
    const known = Math.min(this.events, RECENT);
    return {
      begun_at: this.begun_at,
      events: this.events,
      next_list: this.next_list,
      next_minute: this.next_minute,
      lists: this.lists,
      recent: Array.from({ length: known }, (_, index) => {
        const at = (this.events - known + index) % RECENT;
        return { item: this.recent_items[at], time: this.recent_times[at] };
      }),
      noted: this.noted,
      learner: Float64Array.from(this.learner.numbers()),
    };
  }

  /** Lets go of items whose ordinals will be given to others; they count for nothing already. */
  forget(isGone: (item: number) => boolean): void {
    const known = (item: number): number => (item !== NONE && isGone(item) ? NONE : item);
    this.recent_items.set(this.recent_items.map(known));
    for (const noted of this.noted) noted.items = noted.items.map(known);
  }

  /**
   * The same chain for an item that nobody engaged with within the longest window: all its windows are empty,
   * so it is a sum. Nothing has been learnt about such items.
   */
  private dormantRate(item: number, now: number): number {
    const { items } = this.state;
    const total = this.activity.pacedTotal(item);
    const age = Math.max(0, now - items.created_at(item));
    const watched = WINDOWS.reduce(
      (sum, window) => (age > window / 2 ? sum + Math.min(window, age) : sum),
      0,
    );
    return HOUR / ((age + PRIOR_AGE) / (total + 1) + watched / SHRINKAGE);
  }

  private note(minute: number): void {
    if (minute < this.next_list) return;
    this.next_list = (Math.floor(minute / LIST_EVERY) + 1) * LIST_EVERY;
    const items = this.drawn(minute);
    if (items.length < 2) return;
    const features = new Float64Array(items.length * FEATURES);
    const expected = new Float64Array(items.length);
    for (const [index, item] of items.entries()) {
      this.align(item);
      expected[index] = this.measure(item, minute);
      features.set(this.features, index * FEATURES);
    }
    this.noted.push({ time: minute, items, features, expected });
  }

  /** Up to `LIST_SIZE` items, drawn from the latest engagements. */
  private drawn(minute: number): number[] {
    const known = Math.min(this.events, RECENT);
    let fresh = 0;
    // As bits: the remainder of two doubles is a call of the C library.
    const latest = (this.events - 1) & RING_MASK;
    while (fresh < known && this.recent_times[(latest - fresh) & RING_MASK] > minute - RECENCY) fresh++;
    const random = seededRandom(++this.lists);
    const items = new Set<number>();
    for (let draw = 0; draw < 2 * LIST_SIZE && fresh > 0 && items.size < LIST_SIZE; draw++) {
      const item = this.recent_items[(latest - Math.floor(random() * fresh)) & RING_MASK];
      if (item !== NONE && this.state.items.visible(item)) items.add(item);
    }
    return [...items];
  }

  private learn({ time, items, features, expected }: Noted, now: number): void {
    // An import of years learns from hundreds of thousands of lists: loops over numbers, where closures and views would
    // take half of its time.
    const kept: number[] = [];
    for (let index = 0; index < items.length; index++) {
      if (items[index] !== NONE && this.state.items.visible(items[index])) kept.push(index);
    }
    if (kept.length < 2) return;
    const list: List = {
      features: new Float64Array(kept.length * FEATURES),
      expected: new Float64Array(kept.length),
      outcomes: new Float64Array(kept.length),
    };
    for (let at = 0; at < kept.length; at++) {
      const index = kept[at];
      for (let feature = 0; feature < FEATURES; feature++) {
        list.features[at * FEATURES + feature] = features[index * FEATURES + feature];
      }
      list.expected[at] = expected[index];
      this.align(items[index]);
      list.outcomes[at] = this.activity.gained(items[index], time, now);
    }
    this.learner.learn(list);
  }

  /** What is learnt must not depend on how far the acts of hidden users have been suspended by now. */
  private align(item: number): void {
    this.state.interactions.suspension.alignItem(item);
  }

  /** Fills `features` and returns the log of the engagements per hour expected without having learnt. */
  private measure(item: number, now: number): number {
    const { activity, features } = this;
    activity.measure(item, now);
    let rate = (activity.total + 1) / (activity.age + PRIOR_AGE);
    let longer = Math.log(rate * HOUR);
    let at = 1;
    for (let window = WINDOWS.length - 1; window >= 0; window--) {
      const observed = activity.observed[window];
      // A window that was watched for less than half its length says what the longer ones say.
      if (observed > 0) {
        rate = (activity.within[window] + SHRINKAGE) / (observed + SHRINKAGE / rate);
      }
      const shorter = Math.log(rate * HOUR);
      features[at++] = shorter - longer;
      longer = shorter;
    }
    features[0] = longer;
    features[at++] = Math.log1p(activity.age / HOUR);
    features[at++] = Math.log1p(activity.total);
    features[at++] = Math.log1p(Math.max(0, this.newest - activity.last_at) / 600);
    features[at++] = Math.log1p(Math.max(0, now - activity.last_at) / 600);
    features[at++] = Math.log1p(activity.comments);
    features[at] = Math.log1p(activity.comments_within_hour);
    return longer;
  }

  /** Of an item that is gone for good nothing is known any more, whether or not its ordinal is free. */
  private keyOf(item: number): Key {
    const { names } = this.state.items;
    return item !== NONE && names.holds(item) ? names.key(item) : NONE;
  }

  private itemOf(key: Key): number {
    return key === NONE ? NONE : this.state.items.names.ordinal(key);
  }
}
