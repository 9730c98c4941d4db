import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { tieBreak } from './order.ts';

/** Changed items that are merged into a cached ranking before it is built anew. */
const CHANGES_MERGED_MAX = 256;
/** A ranking that changes with time only may be this old, in seconds. */
const DRIFT_SECONDS_MAX = 5;
/** Length of a new ranking; it grows eightfold when somebody reads on. */
const FIRST_LENGTH = 1024;

/** Rankings kept, by signal and half-life; the one built longest ago is given up first. */
const RANKINGS_KEPT_MAX = 16;

interface Ranking {
  /** The best items in order, as of `built_now`. */
  order: Ordinal[];
  /** `order` holds every described item. */
  complete: boolean;
  /** `state.changed.version` and the request's time when it was built. */
  version: number;
  built_now: number;
  built_ms: number;
  /** `order` with the changes up to `merged_version` in their places. */
  merged: Ordinal[];
  merged_version: number;
}

/**
 * Rankings of all items by signals that are the same for every viewer: caches outside the fold (design
 * decision 5). A cached order is corrected at each request for the items that changed since, so a page is
 * exact however long the cache has stood; only under more than 256 changes within `lag_ms` may it lag, by
 * `lag_ms` at most. `lag_ms` 0: built anew whenever state or time differ.
 */
export class GlobalRankings {
  private readonly rankings = new Map<string, Ranking>();

  constructor(
    private readonly state: State,
    private readonly lag_ms: number,
    private readonly monotonicMs: () => number,
  ) {}

  /**
   * At least the `limit` best items by `score` as of `now`, best first; fewer only when there are no
   * more. Includes items that are not eligible yet or hidden by their author's moderation. Do not modify.
   * O(1) when cached and unchanged; O(items) to build.
   */
  best(signal: string, score: (item: Ordinal) => number, now: number, limit: number): readonly Ordinal[] {
    let ranking = this.rankings.get(signal);
    if (ranking === undefined || this.isStale(ranking, now)) {
      ranking = this.build(signal, score, now, Math.max(FIRST_LENGTH, limit));
    }
    if (ranking.merged_version !== this.state.changed.version) this.merge(ranking, score);
    if (!ranking.complete && ranking.merged.length < limit) {
      ranking = this.build(signal, score, now, limit * 8);
    }
    return ranking.merged;
  }

  private isStale(ranking: Ranking, now: number): boolean {
    const outdated = ranking.version !== this.state.changed.version;
    if (this.lag_ms === 0) return outdated || ranking.built_now !== now;
    const many = this.state.changed.version - ranking.version > CHANGES_MERGED_MAX;
    const drifted = Math.abs(now - ranking.built_now) > DRIFT_SECONDS_MAX;
    return (many || drifted) && this.monotonicMs() - ranking.built_ms >= this.lag_ms;
  }

  private build(signal: string, score: (item: Ordinal) => number, now: number, length: number): Ranking {
    const { items } = this.state;
    const best = new BestItems(length, (one, other) => tieBreak(this.state, one, other));
    let described = 0;
    for (let item = 0; item < items.size; item++) {
      if (!items.visible(item)) continue;
      described++;
      best.offer(item, score(item));
    }
    const order = best.sorted();
    const version = this.state.changed.version;
    const ranking: Ranking = {
      order,
      complete: order.length === described,
      version,
      built_now: now,
      built_ms: this.monotonicMs(),
      merged: order,
      merged_version: version,
    };
    this.rankings.delete(signal);
    this.rankings.set(signal, ranking);
    const oldest = this.rankings.keys().next().value;
    if (this.rankings.size > RANKINGS_KEPT_MAX && oldest !== undefined) this.rankings.delete(oldest);
    return ranking;
  }

  /** Takes the changed items out of the order and puts them where they belong now. */
  private merge(ranking: Ranking, score: (item: Ordinal) => number): void {
    const changed = new Set(this.state.changed.since(ranking.version, CHANGES_MERGED_MAX));
    const scored = [...changed]
      .filter((item) => this.state.items.visible(item))
      .map((item) => ({ item, score: score(item) }));
    scored.sort((one, other) => other.score - one.score || tieBreak(this.state, one.item, other.item));
    const kept = ranking.order.filter((item) => !changed.has(item));
    const merged: Ordinal[] = [];
    let from = 0;
    for (const { item, score: value } of scored) {
      const place = this.placeOf(kept, from, item, value, score);
      for (; from < place; from++) merged.push(kept[from]);
      if (from < kept.length || ranking.complete) merged.push(item);
    }
    for (; from < kept.length; from++) merged.push(kept[from]);
    ranking.merged = merged;
    ranking.merged_version = this.state.changed.version;
  }

  /** First position at or after `from` whose item comes after the given one. O(log n). */
  private placeOf(
    kept: Ordinal[],
    from: number,
    item: Ordinal,
    value: number,
    score: (item: Ordinal) => number,
  ): number {
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
