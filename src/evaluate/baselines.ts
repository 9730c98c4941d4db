import { type Random, seededRandom } from '../clock.ts';
import { inOrderOfNetwork } from '../ingest/merged-content.ts';
import { type Hiding, isHidden } from '../model/hiding.ts';
import { best } from './best.ts';
import { Orders } from './orders.ts';
import { Tally } from './tally.ts';
import type { Described, Moment, Timeline } from './timeline.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

export const GENERAL_BASELINES = ['random', 'popular', 'last-hour', '(points-1)/(age+2)^1.8'] as const;
export const REPLAY_BASELINES = [...GENERAL_BASELINES, 'recent day', 'followees who shared'] as const;
export type BaselineName = (typeof REPLAY_BASELINES)[number];

type Of<K extends Described['kind']> = Extract<Described, { kind: K }>['record'];

/**
 * Recommendations without a recommender: all items that exist at a moment of a timeline, in a simple order computed
 * from the records. Ties: newer first.
 */
export class Baselines {
  private readonly now: Tally;
  private readonly hour_ago: Tally;
  private readonly day_ago: Tally;
  private readonly random: Random;
  /** Items that exist, in order of arrival. */
  readonly items: number[] = [];
  /** NaN for items that are not described (yet). */
  private readonly created_at: Float64Array;
  /** Items that somebody hid, or the network shows again. */
  private readonly hidden = new Map<number, Hiding>();
  private readonly acted_on = new Map<number, Set<number>>();
  private readonly following = new Map<number, Set<number>>();
  private described_at = 0;
  private acts_at = 0;
  private time = 0;
  /** The best items of each order that does not depend on the user. Cleared at every step. */
  private readonly orders = new Orders<BaselineName>(this.items);

  /** Scores by item. Only those named in `current` belong to the current step. */
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

  /** Applies everything up to a moment. */
  advance(moment: Moment): void {
    const { timeline } = this;
    this.time = moment.time;
    this.now.advance(moment);
    this.hour_ago.advance(timeline.at(moment.time - HOUR));
    this.day_ago.advance(timeline.at(moment.time - DAY));
    while (this.described_at < moment.described) this.describe(timeline.described[this.described_at++]);
    const { acts } = timeline;
    for (; this.acts_at < moment.acts; this.acts_at++) {
      if (!acts.engages(this.acts_at)) continue;
      const user = acts.user[this.acts_at];
      const items = this.acted_on.get(user);
      if (items === undefined) this.acted_on.set(user, new Set([acts.item[this.acts_at]]));
      else items.add(acts.item[this.acts_at]);
    }
    this.orders.clear();
    this.current.clear();
  }

  exists(item: number): boolean {
    return this.created_at[item] >= 0 && !isHidden(this.hidden.get(item) ?? {});
  }

  history(user: number): ReadonlySet<number> {
    return this.acted_on.get(user) ?? new Set();
  }

  interactions(item: number): number {
    return this.now.interactions(item);
  }

  /**
   * The 1-based rank of an item among those that a user has not engaged with. Tied items have the mean of their ranks.
   * Infinite for an item that does not exist.
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
    const everybodys = name === 'random' || name === 'followees who shared' ? undefined : name;
    return this.orders.page(everybodys, () => this.scoreOf(name, user), this.history(user), length);
  }

  ranked(name: (typeof GENERAL_BASELINES)[number], items: readonly number[], length: number): number[] {
    return best(items, name === 'random' ? this.random : this.formulaOf(name), length);
  }

  /** Scores that do not depend on the viewer are computed once per step. */
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

  private describe(one: Described): void {
    if (one.kind === 'items') this.describeItem(one.record);
    else if (one.kind === 'follows') this.follow(one.record);
  }

  private describeItem({ item_id, content, completeness }: Of<'items'>): void {
    const item = this.timeline.items.add(item_id);
    const known = this.created_at[item] >= 0;
    // An item that is already described stays so if another record has no author.
    if (completeness === 'undescribed' || (completeness === 'bare' && known)) return;
    const existed = this.exists(item);
    if (!known || content.created_at !== undefined) this.created_at[item] = content.created_at ?? this.time;
    const former = this.hidden.get(item);
    const given = inOrderOfNetwork(content, former);
    if (former !== undefined || given.hidden || given.hidden_by_network !== undefined)
      this.hidden.set(item, { ...former, ...given });
    if (this.exists(item) && !existed) this.items.push(item);
    else if (existed && !this.exists(item)) this.items.splice(this.items.lastIndexOf(item), 1);
  }

  private follow({ user_id, target_user_id, action }: Of<'follows'>): void {
    const { users } = this.timeline;
    const user = users.add(user_id);
    const followed = this.following.get(user) ?? new Set();
    if (action === 'follow') followed.add(users.add(target_user_id));
    else followed.delete(users.add(target_user_id));
    this.following.set(user, followed);
  }
}
