import { seededRandom } from '../clock.ts';
import { type List, ListLearner } from '../learner/list-learner.ts';
import { type Key, NONE } from '../model/key.ts';
import { Activity, type ActivitySource, BEFORE_CREATION_MAX, PRIOR_AGE, WINDOWS } from './activity.ts';
import { FEATURES, fromNumbers, type TrendForm, toNumbers, withItems } from './trend-form.ts';

/** The weight of the next longer window, in engagements. */
const SHRINKAGE = 8;
const HOUR = 3600;

/** Seconds between recorded lists of currently active items. */
const LIST_EVERY = 600;
const LIST_SIZE = 32;
/** A list is drawn from the engagements of this many seconds, and from at most `RECENT` engagements. */
const RECENCY = 2 * HOUR;
const RECENT = 1024;
/** Mask for positions of a ring of that size, which is a power of two. */
const RING_MASK = RECENT - 1;
/** The outcome of a list is learned this many seconds later. */
export const HORIZON = 2 * HOUR;

/** Items that were active at one moment, with their features at that time. */
type Noted = TrendForm['noted'][number];

/**
 * Predicts which items will be engaged with in the next hours.
 *
 * The first guess needs no training: a chain of rates over ever shorter windows, each shrunk towards the previous one.
 * A learner corrects it. Every ten minutes of the stream a list of active items is recorded, and two hours later the
 * learner is trained with their engagement since then.
 *
 * It is part of the fold: only `apply` calls `tick` and `observe`, all times are `applied_at`, and random draws are
 * seeded. A purge first stores the trained trend (`numbers`), as it depends on purged acts. A fold of the remaining
 * rows continues from it.
 */
export class Trend {
  static readonly transient = ['state', 'activity', 'features'];
  private readonly activity: Activity;
  private readonly learner: ListLearner;
  /** A ring of the latest engagements: items and times. */
  private readonly recent_items = new Int32Array(RECENT);
  private readonly recent_times = new Float64Array(RECENT);
  private begun_at = Number.POSITIVE_INFINITY;
  events = 0;
  private noted: Noted[] = [];
  private next_list = 0;
  private next_minute = 0;
  private lists = 0;
  private readonly features = new Float64Array(FEATURES);

  constructor(private readonly state: ActivitySource) {
    this.activity = new Activity(state);
    this.learner = new ListLearner(FEATURES, LIST_SIZE, seededRandom(1));
  }

  /** The time of the last engagement in seconds. 0 without any. */
  get newest(): number {
    return this.events === 0 ? 0 : this.recent_times[(this.events - 1) % RECENT];
  }

  /** Whether engagement was observed long enough to estimate its rate. */
  isRateKnown(now: number): boolean {
    return now - this.begun_at >= HORIZON;
  }

  /**
   * Expected engagements per hour of an item in the next hours, up to a factor that all items share.
   *
   * Rates are comparable only at the same `now`. 1 to 3 µs, more for items with thousands of acts a day.
   */
  rate(item: number, now: number): number {
    if (now - this.activity.lastAt(item, now) >= WINDOWS[WINDOWS.length - 1])
      return this.dormantRate(item, now);
    const expected = this.measure(item, now);
    return Math.exp(expected + this.learner.correction(this.features));
  }

  /** Does the work that is due at `applied_at`. Must be called before the change of that time is applied. */
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
   * Records that an item was liked, commented or shared, or that a source counted it.
   * @param happened_at earlier than `applied_at` if a source sends past counts
   */
  observe(item: number, applied_at: number, happened_at: number): void {
    const known_at = this.state.items.created_at(item) || applied_at;
    if (happened_at > known_at - BEFORE_CREATION_MAX) this.begun_at = Math.min(this.begun_at, happened_at);
    const at = this.events++ % RECENT;
    this.recent_items[at] = item;
    this.recent_times[at] = applied_at;
  }

  /** The complete contents with items as keys, for `restore`. */
  numbers(): Float64Array {
    return toNumbers(withItems(this.form(), (item) => this.keyOf(item)));
  }

  /** Restores the contents from `numbers`. Items that were erased since are left out. */
  restore(numbers: Float64Array): void {
    const form = withItems(fromNumbers(numbers), (key) => this.itemOf(key));
    this.begun_at = form.begun_at;
    this.next_list = form.next_list;
    this.next_minute = form.next_minute;
    this.lists = form.lists;
    // Ring positions and random draws depend on the count, so it is restored first.
    this.events = form.events - form.recent.length;
    for (const { item, time } of form.recent) this.observe(item, time, this.begun_at);
    this.noted = form.noted;
    this.learner.restore(form.learner);
  }

  /** Drops items whose ordinals will be reused. They already have no effect. */
  forget(isGone: (item: number) => boolean): void {
    const known = (item: number): number => (item !== NONE && isGone(item) ? NONE : item);
    this.recent_items.set(this.recent_items.map(known));
    for (const noted of this.noted) noted.items = noted.items.map(known);
  }

  /**
   * The chain of rates for an item without engagement in the longest window.
   *
   * All windows are empty, so the chain is a sum. The learner has no data about such items.
   */
  private dormantRate(item: number, now: number): number {
    const { items } = this.state;
    const total = this.activity.rateTotal(item);
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
    // Bits, since the remainder operator on doubles calls the C library.
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
    // An import of years learns from hundreds of thousands of lists. Closures and views would take half of
    // its time.
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

  /** Settles an item, since training must not depend on how many acts of hidden users are suspended yet. */
  private align(item: number): void {
    this.state.interactions.suspension.alignItem(item);
  }

  private measure(item: number, now: number): number {
    const { activity, features } = this;
    activity.measure(item, now);
    let rate = (activity.total + 1) / (activity.age + PRIOR_AGE);
    let longer = Math.log(rate * HOUR);
    let at = 1;
    for (let window = WINDOWS.length - 1; window >= 0; window--) {
      const observed = activity.observed[window];
      // A window that was observed for less than half its length repeats the longer one.
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

  private form(): TrendForm {
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

  /** The key of an item. NONE for removed items, even before their ordinal is free. */
  private keyOf(item: number): Key {
    const { names } = this.state.items;
    return item !== NONE && names.holds(item) ? names.key(item) : NONE;
  }

  private itemOf(key: Key): number {
    return key === NONE ? NONE : this.state.items.names.ordinal(key);
  }
}
