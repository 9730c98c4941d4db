import type { Ordinal, Signal } from '../plugin/index.ts';
import { CHANGES_KEPT } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import { BestItems } from './best-items.ts';
import { byIdentifier } from './order.ts';

/** A ranking that changes with time is to be built anew when it is older than this, in seconds. */
const DRIFT_SECONDS = 5;
/** Half-lives after which a ranking is built anew: long before the scores of what is old are all 0. */
const HALF_LIVES_MAX = 64;

/**
 * The age at which a ranking by this signal, halved every so many hours, is to be built anew for time alone; Infinity:
 * never.
 */
export function driftSeconds(
  { depends_on, drift_seconds = DRIFT_SECONDS }: Signal,
  half_life_hours = Number.POSITIVE_INFINITY,
): number {
  const faded = Math.max(DRIFT_SECONDS, HALF_LIVES_MAX * half_life_hours * 3600);
  return depends_on === 'time' ? Math.min(drift_seconds, faded) : faded;
}

/** Items looked at, put in order, and looked at again, by one step of building in the background: 0.1 to 0.5 ms. */
const STEP_ITEMS = 512;
const STEP_ORDERED = 256;

export type Score = (item: Ordinal) => number;

/** What a ranking is by. */
export interface RankedBy {
  /** Tells it from all others. */
  name: string;
  /** As of any time, for anybody: kept as long as the ranking is, so it should hold on to no request. */
  scoreAt(now: number): Score;
  /** What is left of all scores after some seconds, by which floors are kept at the height of the order; default: all. */
  fadedIn?(seconds: number): number;
  /** The age at which it is to be built anew for time alone; Infinity: never. */
  drift_seconds: number;
}

/** An item as it was: it may be gone since, and its ordinal another's. */
export interface Floor {
  /** As of `now`. */
  score: number;
  now: number;
  created_at: number;
  id: string;
}

/** An item that ends an order by its score. */
export function floorAt({ items }: State, item: Ordinal, score: number, now: number): Floor {
  return { score, now, created_at: items.created_at(item), id: items.names.id(item) };
}

/** The same end as of another time, for scores as of then. */
export function floorAsOf(floor: Floor | undefined, { fadedIn }: RankedBy, now: number): Floor | undefined {
  if (floor === undefined || fadedIn === undefined) return floor;
  return { ...floor, score: floor.score * fadedIn(now - floor.now), now };
}

/** Whether an item comes before the end of an order as of the same time. */
export function comesBefore({ items }: State, item: Ordinal, score: number, floor: Floor): boolean {
  if (score !== floor.score) return score > floor.score;
  const created_at = items.created_at(item);
  return created_at === floor.created_at ? items.names.id(item) <= floor.id : created_at > floor.created_at;
}

/**
 * A ranking that is being built: the best items are found, then put in order; then those that changed meanwhile are
 * looked at again, so that what is left of them for whoever asks is what has a place in the order.
 */
export class RankingBuilding {
  /** The changes up to this are in `order` or named by `missed`. */
  version: number;
  /** Items that changed after they were looked at, unless they are not in the order and have no place there. */
  readonly missed = new Set<Ordinal>();
  /** The best items, in order once building has ended. */
  order: Ordinal[] = [];
  /** The end of the order; undefined when nothing is in it. */
  floor: Floor | undefined;
  described = 0;
  /** How long it took so far, rests between steps left out. */
  work_ms = 0;
  private readonly best: BestItems;
  /** Rounds of the state's recycler: what `score` holds on to may mean something else after the next. */
  private readonly rounds: number;
  /** Items below this have not been looked at: later ordinals mostly are newer, and of equal scores come first. */
  private below: Ordinal;
  private readonly ordered = new Set<Ordinal>();
  /** The time that `score` is of, and what brings its scores back to `now`: those that are put in order are all of then. */
  private scored_now: number;
  private since_now = 1;
  /** Those of the missed that were not looked at again. */
  private readonly unchecked: Ordinal[] = [];

  /**
   * @param score what `by` gives as of `now`
   * @param length how many of the best items are wanted
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

  /** Ordinals have been given to other items since it was begun. */
  get outdated(): boolean {
    return this.rounds !== this.state.recycler.completed;
  }

  /** Builds all of it at once. @throws what `score` throws */
  finish(): void {
    const start_ms = this.monotonicMs();
    this.offer(this.below);
    this.order = this.best.sorted();
    const last = this.order.at(-1);
    if (last !== undefined) this.floor = floorAt(this.state, last, this.score(last), this.now);
    this.work_ms += this.monotonicMs() - start_ms;
  }

  /**
   * Does a piece of it; false when there is nothing left to do.
   * @param now not earlier than what changed
   * @throws Error when too much changed since changes were taken; what `score` throws
   */
  step(now: number): boolean {
    const start_ms = this.monotonicMs();
    this.takeChanges(now);
    const worked = this.work();
    this.work_ms += this.monotonicMs() - start_ms;
    return worked;
  }

  /**
   * Notes what changed after it was looked at. Scores are asked for anew then: a signal may know items as they were when
   * it was bound.
   * @throws Error when more changed since the last time than is known; what the signal throws
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
    this.since_now = this.by.fadedIn?.(this.now - now) ?? 1;
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
    const floor = floorAsOf(this.floor, this.by, this.scored_now);
    // All items are in the order.
    const complete = this.order.length === this.described;
    for (let left = Math.min(count, unchecked.length); left > 0; left--) {
      const item = unchecked.pop()!;
      if (complete || floor === undefined || this.ordered.has(item)) continue;
      if (state.items.visible(item) && comesBefore(state, item, this.score(item), floor)) continue;
      missed.delete(item);
    }
  }
}
