import { Baselines } from './baselines.ts';
import type { Outcome } from './outcomes.ts';
import { pairKey } from './targets.ts';
import type { Moment, Timeline } from './timeline.ts';

export const SHOWN_BASELINES = ['newest', 'most acts', 'neighbours', 'click rate'] as const;
export type ShownBaseline = (typeof SHOWN_BASELINES)[number];

/** An item's rate is halfway between that of all items and its own after it was shown so often. */
const PRIOR_SHOWN = 20;
/** The latest items of a user that neighbours are looked for. */
const HISTORY = 50;

/** Scores of shown items without a recommender, at a moment that only moves forward. */
export class ShownScores {
  private acts_at = 0;
  private readonly created: ReadonlyMap<number, number>;
  private readonly histories = new Map<number, number[]>();
  private readonly acted = new Set<number>();
  /** Number of users who acted on an item, and on both of two items. */
  private readonly users_of: Float64Array;
  private readonly users_of_both = new Map<number, number>();
  private readonly shown: Float64Array;
  private readonly clicked: Float64Array;
  private all_shown = 0;
  private all_clicked = 0;

  private readonly baselines: Baselines;

  constructor(
    private readonly timeline: Timeline,
    seed: number,
  ) {
    const { size } = timeline.items;
    this.baselines = new Baselines(timeline, seed);
    this.created = timeline.created();
    this.users_of = new Float64Array(size);
    this.shown = new Float64Array(size);
    this.clicked = new Float64Array(size);
  }

  /** Applies everything up to a moment. */
  advance(moment: Moment): void {
    const { acts } = this.timeline;
    this.baselines.advance(moment);
    for (; this.acts_at < moment.acts; this.acts_at++) if (acts.engages(this.acts_at)) this.act(this.acts_at);
  }

  exists(item: number): boolean {
    return this.baselines.exists(item);
  }

  /** Counts a page whose window has passed. */
  learn({ items, outcomes }: { items: readonly number[]; outcomes: readonly Outcome[] }): void {
    for (const [at, item] of items.entries()) {
      this.shown[item]++;
      this.all_shown++;
      if (outcomes[at] !== 1) continue;
      this.clicked[item]++;
      this.all_clicked++;
    }
  }

  scoreOf(name: ShownBaseline, user: number): (item: number) => number {
    switch (name) {
      case 'newest':
        return (item) => this.created.get(item) ?? Number.NEGATIVE_INFINITY;
      case 'most acts':
        return (item) => this.baselines.interactions(item);
      case 'neighbours':
        return this.neighbourScore(user);
      case 'click rate': {
        const rate = (this.all_clicked + 1) / (this.all_shown + 2);
        return (item) => (this.clicked[item] + PRIOR_SHOWN * rate) / (this.shown[item] + PRIOR_SHOWN);
      }
    }
  }

  /** The sum of the cosines of an item with the user's latest ones. */
  private neighbourScore(user: number): (item: number) => number {
    const { users_of, users_of_both } = this;
    const history = this.histories.get(user) ?? [];
    return (item) =>
      history.reduce((sum, other) => {
        const both = users_of_both.get(pairKey(item, other)) ?? 0;
        return both === 0 ? sum : sum + both / Math.sqrt(users_of[item] * users_of[other]);
      }, 0);
  }

  private act(act: number): void {
    const { acts } = this.timeline;
    const user = acts.user[act];
    const item = acts.item[act];
    const pair = pairKey(user, item);
    if (this.acted.has(pair)) return;
    this.acted.add(pair);
    this.users_of[item]++;
    const history = this.histories.getOrInsertComputed(user, () => []);
    for (const other of history)
      for (const both of [pairKey(item, other), pairKey(other, item)])
        this.users_of_both.set(both, (this.users_of_both.get(both) ?? 0) + 1);
    history.push(item);
    if (history.length > HISTORY) history.shift();
  }
}
