import { type Random, seededRandom } from '../clock.ts';
import { best } from './best.ts';
import { Tally } from './tally.ts';
import { dueAt, type Timeline } from './timeline.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Names of the baselines, in the order in which they are printed. */
export const GENERAL_BASELINES = ['random', 'popular', 'last-hour', '(points-1)/(age+2)^1.8'] as const;
export const REPLAY_BASELINES = [...GENERAL_BASELINES, 'recent day', 'followees who shared'] as const;
export type BaselineName = (typeof REPLAY_BASELINES)[number];

/**
 * What needs no recommender, computed from the records alone: everything that exists at some moment of a
 * timeline in a simple order. Ties: newer first.
 */
export class Baselines {
  private readonly now: Tally;
  private readonly hour_ago: Tally;
  private readonly day_ago: Tally;
  private readonly random: Random;
  /** Items that there are, in the order in which they came. */
  readonly items: number[] = [];
  /** NaN for what is not there (yet). */
  private readonly created_at: Float64Array;
  private readonly acted_on = new Map<number, Set<number>>();
  private readonly following = new Map<number, Set<number>>();
  private described_at = 0;
  private acts_at = 0;
  private time = 0;
  /** The best items by each name, whoever asks. Empty after every step. */
  private readonly orders = new Map<BaselineName, number[]>();

  /** Scores by item, of which only those in `current` are of the present step. */
  private readonly scores = new Map<BaselineName, Float64Array>();
  private readonly current = new Set<BaselineName>();

  constructor(
    private readonly timeline: Timeline,
    seed: number,
  ) {
    this.now = new Tally(timeline);
    this.hour_ago = new Tally(timeline);
    this.day_ago = new Tally(timeline);
    this.random = seededRandom(seed);
    this.created_at = new Float64Array(timeline.items.size).fill(Number.NaN);
  }

  /** Takes in everything up to `time` (seconds), of the acts only the first `acts_end`. */
  advance(time: number, acts_end = this.timeline.acts.until(time)): void {
    this.time = time;
    this.now.advance(time, acts_end);
    this.hour_ago.advance(time - HOUR);
    this.day_ago.advance(time - DAY);
    this.describe(time);
    const { acts } = this.timeline;
    for (; this.acts_at < acts_end; this.acts_at++) {
      if (!acts.engages(this.acts_at)) continue;
      const user = acts.user[this.acts_at];
      const items = this.acted_on.get(user);
      if (items === undefined) this.acted_on.set(user, new Set([acts.item[this.acts_at]]));
      else items.add(acts.item[this.acts_at]);
    }
    this.orders.clear();
    this.current.clear();
  }

  /** The item has been described and is not hidden. */
  exists(item: number): boolean {
    return this.created_at[item] >= 0;
  }

  /** What a user has engaged with so far. */
  history(user: number): ReadonlySet<number> {
    return this.acted_on.get(user) ?? new Set();
  }

  /** What users did with an item so far. */
  interactions(item: number): number {
    return this.now.interactions(item);
  }

  /**
   * The 1-based place of an item among those that a user has not engaged with; where several tie, the mean
   * of their places. Infinite for an item that is not there.
   */
  rank(name: BaselineName, user: number, item: number): number {
    if (!this.exists(item)) return Number.POSITIVE_INFINITY;
    const own = this.history(user);
    const score = this.scoreOf(name, user);
    const value = score(item);
    let better = 0;
    let equal = 0;
    for (const other of this.items) {
      const others = score(other);
      if (others < value || other === item || own.has(other)) continue;
      if (others > value) better++;
      else equal++;
    }
    return 1 + better + equal / 2;
  }

  /** The first `length` items that a user has not engaged with. */
  page(name: BaselineName, user: number, length: number): number[] {
    const own = this.history(user);
    const wanted = length + own.size;
    let order = this.orders.get(name);
    if (order === undefined || order.length < Math.min(wanted, this.items.length)) {
      order = best(this.items, this.scoreOf(name, user), 2 * wanted);
      if (name !== 'random' && name !== 'followees who shared') this.orders.set(name, order);
    }
    return order.filter((item) => !own.has(item)).slice(0, length);
  }

  /** The first `length` of some items. */
  ranked(name: (typeof GENERAL_BASELINES)[number], items: readonly number[], length: number): number[] {
    return best(items, name === 'random' ? this.random : this.formulaOf(name), length);
  }

  /** Scores of what does not depend on the viewer are computed once a step. */
  private scoreOf(name: BaselineName, user: number): (item: number) => number {
    if (name === 'random') return this.random;
    if (name === 'followees who shared') return this.sharedBy(user);
    const known = this.scores.get(name) ?? new Float64Array(this.timeline.items.size);
    if (!this.current.has(name)) {
      const formula = this.formulaOf(name);
      for (const item of this.items) known[item] = formula(item);
      this.scores.set(name, known);
      this.current.add(name);
    }
    return (item) => known[item];
  }

  private formulaOf(
    name: Exclude<BaselineName, 'random' | 'followees who shared'>,
  ): (item: number) => number {
    switch (name) {
      case 'popular':
        return (item) => this.now.points(item);
      case 'last-hour':
        return (item) => this.now.points(item) - this.hour_ago.points(item);
      case 'recent day':
        return (item) => this.now.points(item) - this.day_ago.points(item);
      case '(points-1)/(age+2)^1.8':
        return (item) => (this.now.points(item) - 1) / (this.ageHours(item) + 2) ** 1.8;
    }
  }

  private ageHours(item: number): number {
    return Math.max(0, this.time - this.created_at[item]) / HOUR;
  }

  private sharedBy(user: number): (item: number) => number {
    const sharers = new Map<number, number>();
    for (const target of this.following.get(user) ?? []) {
      for (const item of this.history(target)) sharers.set(item, (sharers.get(item) ?? 0) + 1);
    }
    return sharers.size === 0 ? () => 0 : (item) => sharers.get(item) ?? 0;
  }

  private describe(time: number): void {
    const { described, items, users } = this.timeline;
    for (; this.described_at < described.length; this.described_at++) {
      const taken = described[this.described_at];
      if (dueAt(taken) > time) return;
      if (taken.kind === 'items') {
        const { item_id, content, standing } = taken.record;
        const item = items.add(item_id);
        if (standing === 'undescribed' || content.hidden || this.exists(item)) continue;
        this.items.push(item);
        this.created_at[item] = content.created_at ?? time;
      } else if (taken.kind === 'follows') {
        const { user_id, target_user_id, action } = taken.record;
        const user = users.add(user_id);
        const followed = this.following.get(user) ?? new Set();
        if (action === 'follow') followed.add(users.add(target_user_id));
        else followed.delete(users.add(target_user_id));
        this.following.set(user, followed);
      }
    }
  }
}
