import type { Ordinal, Signal } from '../plugin/index.ts';
import { CHANGES_KEPT } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import { tieBreak } from './order.ts';

/** Length of a new ranking; it grows eightfold when somebody reads on. */
const FIRST_LENGTH = 1024;
/** A ranking that changes with time is built anew in idle slices when it is older than this, in seconds … */
const DRIFT_SECONDS = 5;
/** … and at once when it is older than so many times that. */
const DRIFTS_MAX = 12;
/** Rankings kept, by signal and half-life; the one built longest ago is given up first. */
const RANKINGS_KEPT_MAX = 16;
/** Items looked at by one step of building in the background. */
const STEP_ITEMS = 2048;

type Score = (item: Ordinal) => number;

/** The age at which a ranking by this signal is to be built anew for time alone; Infinity: never. */
export function driftSeconds({ depends_on, drift_seconds = DRIFT_SECONDS }: Signal): number {
  return depends_on === 'time' ? drift_seconds : Number.POSITIVE_INFINITY;
}

/** An item as it was: it may be gone since, and its ordinal another's. */
interface Floor {
  score: number;
  created_at: number;
  id: string;
}

interface Ranking {
  /** The best items in order, with the changes up to `version` in their places. */
  order: Ordinal[];
  /** `order` holds every described item. */
  complete: boolean;
  /** The end of `order` as it was built: what is worse is not in `order`. Undefined when nothing was. */
  floor: Floor | undefined;
  /** `state.changed.version` that `order` reflects. */
  version: number;
  built_now: number;
  built_ms: number;
}

/** A ranking that is being built between requests. */
interface Building {
  signal: string;
  score: Score;
  now: number;
  version: number;
  /** Rounds of the state's recycler: what `score` holds on to may mean something else after the next. */
  rounds: number;
  best: BestItems;
  /** Items below this have not been looked at: later ordinals mostly are newer, and of equal scores come first. */
  below: Ordinal;
  described: number;
}

/**
 * Rankings of all items by signals that are the same for every viewer: caches outside the fold (design
 * decision 5). A cached order is corrected at each request for the items that changed since the last, so it
 * is as fresh as the state; only when more items changed than the ring of changes holds may it lag, by
 * `lag_ms` at most. What changes with time alone is built anew between requests. `lag_ms` 0: built anew
 * whenever state or time differ.
 */
export class GlobalRankings {
  private readonly rankings = new Map<string, Ranking>();
  private building: Building | undefined;

  constructor(
    private readonly state: State,
    private readonly lag_ms: number,
    private readonly monotonicMs: () => number,
  ) {}

  /**
   * At least the `limit` best items by `score` as of `now`, best first; fewer only when there are no
   * more. Includes items that are not eligible yet or hidden by their author's moderation. Do not modify.
   * O(1) when cached and unchanged, O(length) to correct, O(items) to build.
   * @param drift_seconds as of `driftSeconds`
   */
  best(signal: string, score: Score, now: number, limit: number, drift_seconds: number): readonly Ordinal[] {
    let ranking = this.rankings.get(signal);
    if (ranking === undefined || this.isStale(ranking, now, drift_seconds)) {
      ranking = this.build(signal, score, now, Math.max(FIRST_LENGTH, limit));
    } else if (ranking.version !== this.state.changed.version) this.correct(ranking, score);
    if (!ranking.complete && ranking.order.length < limit) {
      ranking = this.build(signal, score, now, limit * 8);
    }
    if (Math.abs(now - ranking.built_now) > drift_seconds) {
      this.building ??= this.begin(signal, score, now, ranking.order.length);
    }
    return ranking.order;
  }

  /** Does a piece of the building that is under way; false when none is. */
  buildStep(): boolean {
    const { building } = this;
    if (building === undefined) return false;
    if (building.rounds !== this.state.recycler.completed) {
      this.building = undefined;
      return true;
    }
    try {
      this.offer(building, STEP_ITEMS);
      if (building.below > 0) return true;
      this.keep(building);
    } catch {
      // A third party's signal failed. Here that would end the process; a request that needs the ranking
      // builds it itself, fails, and is logged.
    }
    this.building = undefined;
    return true;
  }

  private isStale(ranking: Ranking, now: number, drift_seconds: number): boolean {
    const changes = this.state.changed.version - ranking.version;
    if (this.lag_ms === 0) return changes > 0 || ranking.built_now !== now;
    if (Math.abs(now - ranking.built_now) > DRIFTS_MAX * drift_seconds) return true;
    return changes > CHANGES_KEPT && this.monotonicMs() - ranking.built_ms >= this.lag_ms;
  }

  private build(signal: string, score: Score, now: number, length: number): Ranking {
    const building = this.begin(signal, score, now, length);
    this.offer(building, this.state.items.size);
    return this.keep(building);
  }

  private begin(signal: string, score: Score, now: number, length: number): Building {
    const best = new BestItems(Math.max(length, FIRST_LENGTH), (one, other) =>
      tieBreak(this.state, one, other),
    );
    const { changed, items, recycler } = this.state;
    const { version } = changed;
    const rounds = recycler.completed;
    return { signal, score, now, version, rounds, best, below: items.size, described: 0 };
  }

  private offer(building: Building, count: number): void {
    const { items } = this.state;
    const end = Math.max(0, building.below - count);
    for (let item = building.below - 1; item >= end; item--) {
      if (!items.visible(item)) continue;
      building.described++;
      building.best.offer(item, building.score(item));
    }
    building.below = end;
  }

  private keep({ signal, score, now, version, best, described }: Building): Ranking {
    const order = best.sorted();
    const ranking: Ranking = {
      order,
      complete: order.length === described,
      floor: this.floorOf(order, score),
      version,
      built_now: now,
      built_ms: this.monotonicMs(),
    };
    this.rankings.delete(signal);
    this.rankings.set(signal, ranking);
    const oldest = this.rankings.keys().next().value;
    if (this.rankings.size > RANKINGS_KEPT_MAX && oldest !== undefined) this.rankings.delete(oldest);
    return ranking;
  }

  private floorOf(order: readonly Ordinal[], score: Score): Floor | undefined {
    const item = order.at(-1);
    if (item === undefined) return undefined;
    const { items } = this.state;
    return { score: score(item), created_at: items.created_at(item), id: items.names.id(item) };
  }

  /** Takes the items that changed out of the order and puts them where they belong now. */
  private correct(ranking: Ranking, score: Score): void {
    const changes = this.state.changed.version - ranking.version;
    const changed = new Set(this.state.changed.since(ranking.version, CHANGES_KEPT));
    const scored: { item: Ordinal; score: number }[] = [];
    for (const item of changed) {
      if (!this.state.items.visible(item)) continue;
      const value = score(item);
      if (this.belongs(ranking, item, value)) scored.push({ item, score: value });
    }
    scored.sort((one, other) => other.score - one.score || tieBreak(this.state, one.item, other.item));
    const kept = ranking.order.filter((item) => !changed.has(item));
    const order: Ordinal[] = [];
    let from = 0;
    for (const { item, score: value } of scored) {
      const place = this.placeOf(kept, from, item, value, score);
      for (; from < place; from++) order.push(kept[from]);
      order.push(item);
    }
    for (; from < kept.length; from++) order.push(kept[from]);
    ranking.order = order;
    // Of more changes only the latest are known: the order lags until it is built anew.
    if (changes <= CHANGES_KEPT) ranking.version = this.state.changed.version;
  }

  /** Whether nothing outside the order can be better than this item. */
  private belongs({ complete, floor }: Ranking, item: Ordinal, score: number): boolean {
    if (complete || floor === undefined) return true;
    if (score !== floor.score) return score > floor.score;
    const { items } = this.state;
    const created_at = items.created_at(item);
    return created_at === floor.created_at ? items.names.id(item) <= floor.id : created_at > floor.created_at;
  }

  /** First position at or after `from` whose item comes after the given one. O(log n). */
  private placeOf(kept: Ordinal[], from: number, item: Ordinal, value: number, score: Score): number {
    let low = from;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const difference = score(kept[middle]) - value || tieBreak(this.state, item, kept[middle]);
      if (difference > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The `length` best of a stream: a min-heap whose root is the worst of them. */
class BestItems {
  private readonly items: Ordinal[] = [];
  private readonly scores: number[] = [];

  constructor(
    private readonly length: number,
    private readonly tieBreak: (one: Ordinal, other: Ordinal) => number,
  ) {}

  offer(item: Ordinal, score: number): void {
    if (this.items.length < this.length) {
      this.items.push(item);
      this.scores.push(score);
      this.rise(this.items.length - 1);
    } else if (this.length > 0 && this.isWorse(this.items[0], this.scores[0], item, score)) {
      this.items[0] = item;
      this.scores[0] = score;
      this.sink();
    }
  }

  sorted(): Ordinal[] {
    const indexes = this.items.map((_, index) => index);
    indexes.sort((a, b) => this.scores[b] - this.scores[a] || this.tieBreak(this.items[a], this.items[b]));
    return indexes.map((index) => this.items[index]);
  }

  private isWorse(item: Ordinal, score: number, than: Ordinal, than_score: number): boolean {
    return score !== than_score ? score < than_score : this.tieBreak(item, than) > 0;
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(this.items[at], this.scores[at], this.items[parent], this.scores[parent])) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (
          child < this.items.length &&
          this.isWorse(this.items[child], this.scores[child], this.items[worst], this.scores[worst])
        ) {
          worst = child;
        }
      }
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  private swap(one: number, other: number): void {
    [this.items[one], this.items[other]] = [this.items[other], this.items[one]];
    [this.scores[one], this.scores[other]] = [this.scores[other], this.scores[one]];
  }
}
