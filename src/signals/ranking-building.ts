import { CHANGES_KEPT } from '../columns/change-ring.ts';
import type { Ordinal, Signal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { BestItems } from './best-items.ts';
import { byIdentifier } from './order.ts';

/** The default age in seconds at which a ranking that changes with time is rebuilt. */
const DRIFT_SECONDS = 5;
/** The age in half-lives at which a ranking is rebuilt, long before old scores underflow to 0. */
const HALF_LIVES_MAX = 64;

/** The age in seconds at which a ranking by a signal is rebuilt because of time alone. Infinity for never. */
export function driftSeconds(
  { depends_on, drift_seconds = DRIFT_SECONDS }: Signal,
  half_life_hours = Number.POSITIVE_INFINITY,
): number {
  const decayed = Math.max(DRIFT_SECONDS, HALF_LIVES_MAX * half_life_hours * 3600);
  return depends_on === 'time' ? Math.min(drift_seconds, decayed) : decayed;
}

/** The number of items to score, or to check again, per background step. A step takes 0.1 to 0.5 ms. */
const STEP_ITEMS = 512;
const STEP_ORDERED = 256;

export type Score = (item: Ordinal) => number;

export interface RankedBy {
  /** The unique name of the ranking. */
  name: string;
  /** Makes the score for any time and viewer. Lives as long as the ranking, so it should not reference a request. */
  scoreAt(now: number): Score;
  /** The factor by which all scores decay within some seconds, to keep floors comparable. Default: no decay. */
  decayOver?(seconds: number): number;
  /** The age at which the ranking is rebuilt because of time alone. Infinity for never. */
  drift_seconds: number;
}

/** A snapshot of an item. The item may be removed since, and its ordinal reused. */
export interface Floor {
  /** At `now`. */
  score: number;
  now: number;
  created_at: number;
  id: string;
}

export function floorAt({ items }: State, item: Ordinal, score: number, now: number): Floor {
  return { score, now, created_at: items.created_at(item), id: items.names.id(item) };
}

export function floorAtTime(
  floor: Floor | undefined,
  { decayOver }: RankedBy,
  now: number,
): Floor | undefined {
  if (floor === undefined || decayOver === undefined) return floor;
  return { ...floor, score: floor.score * decayOver(now - floor.now), now };
}

/** Whether an item comes before the floor. Both scores must be of the same time. */
export function comesBefore({ items }: State, item: Ordinal, score: number, floor: Floor): boolean {
  if (score !== floor.score) return score > floor.score;
  const created_at = items.created_at(item);
  return created_at === floor.created_at ? items.names.id(item) <= floor.id : created_at > floor.created_at;
}

/**
 * Builds a ranking in steps.
 *
 * It finds the best items, sorts them, and checks the items that changed meanwhile. Only changed items with a place in
 * the order remain for the first request to correct.
 */
export class RankingBuilding {
  /** Changes up to this are in `order` or in `missed`. */
  version: number;
  /** Items that changed after their scoring, unless they are not in the order and have no place there. */
  readonly missed = new Set<Ordinal>();
  /** The best items, in order once building is done. */
  order: Ordinal[] = [];
  /** The end of the order. Undefined for an empty order. */
  floor: Floor | undefined;
  described = 0;
  /** The time spent so far, without pauses between steps. */
  work_ms = 0;
  private readonly best: BestItems;
  /** Rounds of the state's recycler. After the next round, ordinals known to `score` may belong to other items. */
  private readonly rounds: number;
  /** Items from this ordinal on have been scored. Later ordinals are usually newer, so they come first. */
  private below: Ordinal;
  private readonly ordered = new Set<Ordinal>();
  /** The time of `score`, and the factor that converts its scores to `now`. */
  private scored_now: number;
  private since_now = 1;
  /** Missed items that were not checked again. */
  private readonly unchecked: Ordinal[] = [];

  /**
   * @param score the scores of `by` at `now`
   * @param length the number of best items to find
   */
  constructor(
    private readonly state: State,
    readonly by: RankedBy,
    private score: Score,
    readonly now: number,
    length: number,
    private readonly monotonicMs: () => number,
  ) {
    this.best = new BestItems(length, (one, other) => byIdentifier(state, one, other));
    this.version = state.changed.version;
    this.scored_now = now;
    this.rounds = state.recycler.completed;
    this.below = state.items.size;
  }

  get outdated(): boolean {
    return this.rounds !== this.state.recycler.completed;
  }

  /** Builds everything at once. @throws errors of `score` */
  finish(): void {
    const start_ms = this.monotonicMs();
    this.offer(this.below);
    this.order = this.best.sorted();
    const last = this.order.at(-1);
    if (last !== undefined) this.floor = floorAt(this.state, last, this.score(last), this.now);
    this.work_ms += this.monotonicMs() - start_ms;
  }

  /**
   * Performs one step. Returns false when done.
   * @param now must not be earlier than the changes
   * @throws Error if too much changed since the last step; errors of `score`
   */
  step(now: number): boolean {
    const start_ms = this.monotonicMs();
    this.takeChanges(now);
    const worked = this.work();
    this.work_ms += this.monotonicMs() - start_ms;
    return worked;
  }

  /**
   * Records items that changed after their scoring.
   *
   * It binds the signal again, since a bound signal may use the items as they were.
   * @throws Error if the ring of changes overflowed; errors of the signal
   */
  takeChanges(now: number): void {
    const { changed } = this.state;
    if (changed.version === this.version) return;
    if (changed.version - this.version > CHANGES_KEPT) throw new Error('more changed than is known');
    for (const item of changed.since(this.version, CHANGES_KEPT)) {
      if (item < this.below || this.missed.has(item)) continue;
      this.missed.add(item);
      this.unchecked.push(item);
    }
    this.version = changed.version;
    this.score = this.by.scoreAt(now);
    this.scored_now = now;
    this.since_now = this.by.decayOver?.(this.now - now) ?? 1;
  }

  private work(): boolean {
    if (this.below > 0) this.offer(STEP_ITEMS);
    if (this.below > 0) return true;
    if (this.best.size > 0) this.takeInOrder(STEP_ORDERED);
    if (this.best.size > 0) return true;
    this.check(STEP_ITEMS);
    return this.unchecked.length > 0;
  }

  private offer(count: number): void {
    const { items } = this.state;
    const end = Math.max(0, this.below - count);
    for (let item = this.below - 1; item >= end; item--) {
      if (!items.visible(item)) continue;
      this.described++;
      this.best.offer(item, this.since_now * this.score(item), items.created_at(item));
    }
    this.below = end;
  }

  private takeInOrder(count: number): void {
    const { best, order, ordered } = this;
    for (let left = Math.min(count, best.size); left > 0; left--) {
      const { worst_score: score, worst_created_at: created_at } = best;
      const item = best.takeWorst();
      this.floor ??= { score, now: this.now, created_at, id: this.state.items.names.id(item) };
      order.push(item);
      ordered.add(item);
    }
    if (best.size === 0) order.reverse();
  }

  private check(count: number): void {
    const { state, unchecked, missed } = this;
    const floor = floorAtTime(this.floor, this.by, this.scored_now);
    // The order contains all items.
    const complete = this.order.length === this.described;
    for (let left = Math.min(count, unchecked.length); left > 0; left--) {
      const item = unchecked.pop()!;
      if (complete || floor === undefined || this.ordered.has(item)) continue;
      if (state.items.visible(item) && comesBefore(state, item, this.score(item), floor)) continue;
      missed.delete(item);
    }
  }
}
