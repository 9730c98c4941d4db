import { LRUCache } from 'lru-cache';
import { CHANGES_KEPT, KEEP_UP } from '../columns/change-ring.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { tieBreak } from './order.ts';
import { OrderCorrections } from './order-corrections.ts';
import {
  comesBefore,
  type Floor,
  floorAt,
  floorAtTime,
  type RankedBy,
  RankingBuilding,
  type Score,
} from './ranking-building.ts';

/** The initial length of a ranking. It grows to this multiple of the requested length when requests need more. */
const FIRST_LENGTH = 1024;
const LENGTH_OVER_READ = 8;
/** A ranking is cut to this multiple of the longest read of the last minute, since each change costs O(its length). */
const LENGTH_LEFT_OVER_READ = 2;
const READ_WITHIN_MS = 60_000;
/** A ranking loses items one by one. Below this length it is rebuilt while the service is idle. */
const SHORT_LENGTH = 768;
/** A drifted ranking is rebuilt in the background, but only after this multiple of its building time. */
const BUILDING_RESTS = 16;
/** A ranking that is not requested is rebuilt at this multiple of its drift time. */
const DRIFTS_IDLE = 6;
/** Beyond this multiple of its drift time a request rebuilds the ranking itself. */
const DRIFTS_MAX = 12;
/** A ranking that was not requested for a day is not rebuilt in the background. */
const EXPECTED_WITHIN_MS = 24 * 3600 * 1000;
/** The maximum number of cached rankings, by signal and half-life. */
const RANKINGS_KEPT_MAX = 16;

interface Ranking {
  by: RankedBy;
  /** The time of the last request, on the monotonic clock. */
  requested_ms: number;
  /** The best items in order, with all changes up to `version`. */
  order: Ordinal[];
  /** Whether `order` contains every described item. */
  complete: boolean;
  /** The worst item of `order` when it was built. Worse items are not in `order`. Undefined for an empty order. */
  floor: Floor | undefined;
  /** The `state.changed.version` that `order` reflects, except for the `missed` items. */
  version: number;
  missed: ReadonlySet<Ordinal>;
  built_now: number;
  built_ms: number;
  work_ms: number;
  /** The longest read since `read_from_ms`. */
  read: number;
  read_from_ms: number;
}

const NONE_MISSED: ReadonlySet<Ordinal> = new Set();

/**
 * Caches rankings of all items by signals that are the same for every viewer, outside of the fold (signals-1).
 *
 * Each request corrects the cached order for the items that changed since, so it is as fresh as the state. It may lag,
 * by at most `lag_ms`, only if more items changed than the ring of changes holds. Changes by time alone are applied
 * between requests, with at most a sixteenth of the time. With `lag_ms` 0, a ranking is rebuilt whenever the state or
 * the time differs.
 */
export class GlobalRankings {
  private readonly rankings = new LRUCache<string, Ranking>({ max: RANKINGS_KEPT_MAX });
  private building: RankingBuilding | undefined;
  /** Rankings to build before the first request. */
  private readonly expected: RankedBy[] = [];
  private readonly corrections: OrderCorrections;

  constructor(
    private readonly state: State,
    private readonly lag_ms: number,
    private readonly monotonicMs: () => number,
  ) {
    this.corrections = new OrderCorrections(state);
  }

  /**
   * At least the `limit` best items by `score` at `now`, best first. Fewer if there are no more.
   *
   * Includes items that are not eligible yet or whose author is hidden. Callers must not modify it, and it is valid
   * until the state changes. O(1) if cached and unchanged, O(length) to correct, O(items) to build.
   * @param score the result of `scoreAt(now)`, if the caller has it
   */
  best(by: RankedBy, now: number, limit: number, score: Score = by.scoreAt(now)): readonly Ordinal[] {
    let ranking = this.rankings.get(by.name);
    if (ranking === undefined || this.isStale(ranking, now)) {
      ranking = this.build(by, score, now, Math.max(FIRST_LENGTH, limit));
    } else if (ranking.version !== this.state.changed.version || ranking.missed.size > 0) {
      this.correct(ranking, score, now);
    }
    if (!ranking.complete && ranking.order.length < limit) {
      ranking = this.build(by, score, now, limit * LENGTH_OVER_READ);
    }
    ranking.requested_ms = this.noteRead(ranking, score, now, limit);
    const is_short = !ranking.complete && ranking.order.length < SHORT_LENGTH;
    if (is_short || Math.abs(now - ranking.built_now) > dueSeconds(ranking)) {
      this.beginBetween(by, now, ranking.order.length);
    }
    return ranking.order;
  }

  /** Builds a ranking between requests, unless it exists, so that its first request need not wait. */
  expect(by: RankedBy): void {
    if (this.lag_ms > 0 && !this.rankings.has(by.name)) this.expected.push(by);
  }

  /**
   * Applies changes to cached rankings when there are many.
   *
   * Otherwise the first request after a burst of changes would wait for a rebuild, which takes seconds for a million
   * items. O(rankings × (length + changes)).
   * @param now must not be earlier than the changes: future acts count nothing, and the item would not be checked again
   */
  keepUp(now: number): void {
    if (this.lag_ms === 0) return;
    const { changed } = this.state;
    const { building } = this;
    if (building !== undefined && changed.version - building.version >= KEEP_UP) {
      try {
        building.takeChanges(now);
      } catch {
        // As in `buildStep`.
        this.building = undefined;
      }
    }
    for (const [name, ranking] of [...this.rankings]) {
      const changes = changed.version - ranking.version;
      if (changes < KEEP_UP || changes > CHANGES_KEPT) continue;
      try {
        const score = ranking.by.scoreAt(now);
        this.correct(ranking, score, now);
        this.noteRead(ranking, score, now, 0);
      } catch {
        // A third party's signal failed. The next request builds the ranking, fails, and is logged.
        this.rankings.delete(name);
      }
    }
  }

  /**
   * Begins to build an expected ranking, or one that has drifted without requests. Returns false if there is none.
   *
   * Otherwise the next request would wait for the rebuild. Also false while a ranking is being built.
   */
  renew(now: number): boolean {
    if (this.building !== undefined || this.lag_ms === 0) return false;
    const due = this.expected.shift() ?? this.drifted(now);
    if (due === undefined) return false;
    const known = this.rankings.peek(due.name);
    try {
      this.building = this.begin(due, due.scoreAt(now), now, known?.order.length ?? 0);
    } catch {
      // As in `keepUp`.
      this.rankings.delete(due.name);
    }
    return true;
  }

  /** Performs one step of the current build. Returns false without one. @param now as for `keepUp` */
  buildStep(now: number): boolean {
    const { building } = this;
    if (building === undefined) return false;
    if (building.outdated) {
      this.building = undefined;
      return true;
    }
    try {
      if (building.step(now)) return true;
      this.keep(building);
    } catch {
      // Too much changed, or a third party's signal failed. An error here would end the process. The next
      // request builds the ranking, fails, and is logged. Until then no background build is tried.
      const known = this.rankings.peek(building.by.name);
      if (known !== undefined) known.requested_ms = Number.NEGATIVE_INFINITY;
    }
    this.building = undefined;
    return true;
  }

  /** A ranking that was requested within a day and has drifted too much. */
  private drifted(now: number): RankedBy | undefined {
    const now_ms = this.monotonicMs();
    for (const ranking of this.rankings.values()) {
      if (now_ms - ranking.requested_ms > EXPECTED_WITHIN_MS) continue;
      if (Math.abs(now - ranking.built_now) > DRIFTS_IDLE * dueSeconds(ranking)) return ranking.by;
    }
    return undefined;
  }

  private isStale(ranking: Ranking, now: number): boolean {
    const changes = this.state.changed.version - ranking.version;
    if (this.lag_ms === 0) return changes > 0 || ranking.built_now !== now;
    if (Math.abs(now - ranking.built_now) > DRIFTS_MAX * dueSeconds(ranking)) return true;
    return changes > CHANGES_KEPT && this.monotonicMs() - ranking.built_ms >= this.lag_ms;
  }

  private build(by: RankedBy, score: Score, now: number, length: number): Ranking {
    const building = this.begin(by, score, now, length);
    building.finish();
    return this.keep(building);
  }

  /** Unlike `build`, this keeps no reference to the request, which ends long before the build. */
  private beginBetween(by: RankedBy, now: number, length: number): void {
    try {
      this.building ??= this.begin(by, by.scoreAt(now), now, length);
    } catch {
      // As in `keepUp`. The former ranking is still there.
    }
  }

  private begin(by: RankedBy, score: Score, now: number, length: number): RankingBuilding {
    const { state, monotonicMs } = this;
    return new RankingBuilding(state, by, score, now, Math.max(length, FIRST_LENGTH), monotonicMs);
  }

  private keep(building: RankingBuilding): Ranking {
    const { by, now, order, floor, version, missed, described, work_ms } = building;
    const read_from_ms = this.monotonicMs();
    const ranking: Ranking = {
      by,
      requested_ms: this.rankings.peek(by.name)?.requested_ms ?? read_from_ms,
      order,
      complete: order.length === described,
      floor,
      version,
      missed,
      built_now: now,
      built_ms: read_from_ms,
      work_ms,
      read: 0,
      read_from_ms,
    };
    this.rankings.set(by.name, ranking);
    return ranking;
  }

  private noteRead(ranking: Ranking, score: Score, now: number, limit: number): number {
    ranking.read = Math.max(ranking.read, limit);
    const now_ms = this.monotonicMs();
    if (now_ms - ranking.read_from_ms < READ_WITHIN_MS) return now_ms;
    const length = Math.max(FIRST_LENGTH, ranking.read * LENGTH_LEFT_OVER_READ);
    ranking.read = 0;
    ranking.read_from_ms = now_ms;
    if (ranking.order.length <= 2 * length) return now_ms;
    ranking.order.length = length;
    ranking.complete = false;
    const last = ranking.order[length - 1];
    ranking.floor = floorAt(this.state, last, score(last), now);
    return now_ms;
  }

  private correct(ranking: Ranking, score: Score, now: number): void {
    const changes = this.state.changed.version - ranking.version;
    const changed = new Set(this.state.changed.since(ranking.version, CHANGES_KEPT));
    for (const item of ranking.missed) changed.add(item);
    const floor = floorAtTime(ranking.floor, ranking.by, now);
    const scored: { item: Ordinal; score: number }[] = [];
    for (const item of changed) {
      if (!this.state.items.visible(item)) continue;
      const value = score(item);
      if (this.belongs(item, value, ranking.complete, floor)) scored.push({ item, score: value });
    }
    scored.sort((one, other) => other.score - one.score || tieBreak(this.state, one.item, other.item));
    this.corrections.takeOut(ranking.order, changed);
    this.corrections.putIn(ranking.order, scored, score);
    // With more changes, only the latest are known, and the order lags until it is rebuilt.
    if (changes > CHANGES_KEPT) return;
    ranking.version = this.state.changed.version;
    ranking.missed = NONE_MISSED;
  }

  /** Whether no item outside of the order can be better than this item. */
  private belongs(item: Ordinal, score: number, complete: boolean, floor: Floor | undefined): boolean {
    return complete || floor === undefined || comesBefore(this.state, item, score, floor);
  }
}

/** The age in seconds at which a ranking is rebuilt because of time alone. */
function dueSeconds({ by, work_ms }: Ranking): number {
  return Math.max(by.drift_seconds, (BUILDING_RESTS * work_ms) / 1000);
}
