import { LRUCache } from 'lru-cache';
import type { Ordinal } from '../plugin/index.ts';
import { CHANGES_KEPT, KEEP_UP } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import { tieBreak } from './order.ts';
import { OrderCorrections } from './order-corrections.ts';
import {
  comesBefore,
  type Floor,
  floorAsOf,
  floorAt,
  type RankedBy,
  RankingBuilding,
  type Score,
} from './ranking-building.ts';

/** Length of a new ranking; it grows when somebody reads on, to so many times as far as they read … */
const FIRST_LENGTH = 1024;
const LENGTH_OVER_READ = 8;
/** … and is cut to so many times of what was read when for so long nobody has read further: changes are paid for by its length. */
const LENGTH_LEFT_OVER_READ = 2;
const READ_WITHIN_MS = 60_000;
/** Items leave it one by one: with fewer it is built anew in idle slices. */
const SHORT_LENGTH = 768;
/** A ranking that changes with time is built anew in idle slices when it has drifted for long enough, but only after so many times as long as building it took; … */
const BUILDING_RESTS = 16;
/** … when nobody asks for it, at so many times that age, … */
const DRIFTS_UNASKED = 6;
/** … and by whoever asks, at once, when it is older than so many times that. */
const DRIFTS_MAX = 12;
/** Nobody is expected to ask for a ranking that was not asked for in a day. */
const EXPECTED_WITHIN_MS = 24 * 3600 * 1000;
/** Rankings kept, by signal and half-life. */
const RANKINGS_KEPT_MAX = 16;

interface Ranking {
  by: RankedBy;
  /** When it was asked for last, milliseconds of the machine. */
  asked_ms: number;
  /** The best items in order, with the changes up to `version` in their places. */
  order: Ordinal[];
  /** `order` holds every described item. */
  complete: boolean;
  /** The end of `order` as it was built: what is worse is not in `order`. Undefined when nothing was. */
  floor: Floor | undefined;
  /** `state.changed.version` that `order` reflects but for the `missed` items. */
  version: number;
  missed: ReadonlySet<Ordinal>;
  built_now: number;
  built_ms: number;
  /** How long building it took, rests between steps left out. */
  work_ms: number;
  /** How far it was read since `read_from_ms`. */
  read: number;
  read_from_ms: number;
}

const NONE_MISSED: ReadonlySet<Ordinal> = new Set();

/**
 * Rankings of all items by signals that are the same for every viewer: caches outside the fold
 * (signals-1). A cached order is corrected at each request for the items that changed since the last, so it
 * is as fresh as the state; only when more items changed than the ring of changes holds may it lag, by
 * `lag_ms` at most. What changes with time alone is built anew between requests, with a sixteenth of the time at
 * most. `lag_ms` 0: built anew whenever state or time differ.
 */
export class GlobalRankings {
  private readonly rankings = new LRUCache<string, Ranking>({ max: RANKINGS_KEPT_MAX });
  private building: RankingBuilding | undefined;
  /** To be built before somebody asks. */
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
   * At least the `limit` best items by `score` as of `now`, best first; fewer only when there are no
   * more. Includes items that are not eligible yet or hidden by their author's moderation. Do not modify; good
   * until the state changes.
   * O(1) when cached and unchanged, O(length) to correct, O(items) to build.
   * @param score what `scoreAt(now)` would give, if the caller has it
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
    ranking.asked_ms = this.noteRead(ranking, score, now, limit);
    const is_short = !ranking.complete && ranking.order.length < SHORT_LENGTH;
    if (is_short || Math.abs(now - ranking.built_now) > dueSeconds(ranking)) {
      this.beginBetween(by, now, ranking.order.length);
    }
    return ranking.order;
  }

  /** Has a ranking built between requests, before somebody asks for it and waits. */
  expect(by: RankedBy): void {
    if (this.lag_ms > 0) this.expected.push(by);
  }

  /**
   * Takes in what changed when it has become much: otherwise whoever asks after a burst of changes would wait until the
   * ranking is built, seconds among a million items. O(rankings × (length + changes)).
   * @param now not earlier than what changed: what lies ahead counts for nothing, and would not be looked at again
   */
  keepUp(now: number): void {
    if (this.lag_ms === 0) return;
    const { changed } = this.state;
    const { building } = this;
    if (building !== undefined && changed.version - building.version >= KEEP_UP) {
      try {
        building.takeChanges(now);
      } catch {
        // As of `buildStep`.
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
        // A third party's signal failed: a request that needs the ranking builds it, fails, and is logged.
        this.rankings.delete(name);
      }
    }
  }

  /**
   * Begins to build what is expected, or what time has changed although nobody asks: otherwise who asks after a while
   * would wait until it is built. False when there is no such ranking, or one is being built.
   */
  renew(now: number): boolean {
    if (this.building !== undefined || this.lag_ms === 0) return false;
    const unasked = this.expected.shift() ?? this.grownOld(now);
    if (unasked === undefined) return false;
    const known = this.rankings.peek(unasked.name);
    try {
      this.building = this.begin(unasked, unasked.scoreAt(now), now, known?.order.length ?? 0);
    } catch {
      // As of `keepUp`.
      this.rankings.delete(unasked.name);
    }
    return true;
  }

  /** Does a piece of the building that is under way; false when none is. @param now as of `keepUp` */
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
      // Too much changed, or a third party's signal failed. Here that would end the process; a request that needs
      // the ranking builds it itself, fails, and is logged. Until one asks, none is expected to.
      const known = this.rankings.peek(building.by.name);
      if (known !== undefined) known.asked_ms = Number.NEGATIVE_INFINITY;
    }
    this.building = undefined;
    return true;
  }

  /** A ranking that somebody may ask for and that time has changed too much by then. */
  private grownOld(now: number): RankedBy | undefined {
    const now_ms = this.monotonicMs();
    for (const ranking of this.rankings.values()) {
      if (now_ms - ranking.asked_ms > EXPECTED_WITHIN_MS) continue;
      if (Math.abs(now - ranking.built_now) > DRIFTS_UNASKED * dueSeconds(ranking)) return ranking.by;
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

  /** By no request of somebody, which would have ended long before. */
  private beginBetween(by: RankedBy, now: number, length: number): void {
    try {
      this.building ??= this.begin(by, by.scoreAt(now), now, length);
    } catch {
      // As of `keepUp`; here the ranking of a moment ago is there.
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
      asked_ms: this.rankings.peek(by.name)?.asked_ms ?? read_from_ms,
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

  /** Cuts an order that is longer than anybody needed it for a while. @returns the time, in milliseconds */
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

  /** Takes the items that changed out of the order and puts them where they belong now. */
  private correct(ranking: Ranking, score: Score, now: number): void {
    const changes = this.state.changed.version - ranking.version;
    const changed = new Set(this.state.changed.since(ranking.version, CHANGES_KEPT));
    for (const item of ranking.missed) changed.add(item);
    const floor = floorAsOf(ranking.floor, ranking.by, now);
    const scored: { item: Ordinal; score: number }[] = [];
    for (const item of changed) {
      if (!this.state.items.visible(item)) continue;
      const value = score(item);
      if (this.belongs(item, value, ranking.complete, floor)) scored.push({ item, score: value });
    }
    scored.sort((one, other) => other.score - one.score || tieBreak(this.state, one.item, other.item));
    this.corrections.takeOut(ranking.order, changed);
    this.corrections.putIn(ranking.order, scored, score);
    // Of more changes only the latest are known: the order lags until it is built anew.
    if (changes > CHANGES_KEPT) return;
    ranking.version = this.state.changed.version;
    ranking.missed = NONE_MISSED;
  }

  /** Whether nothing outside the order can be better than this item. */
  private belongs(item: Ordinal, score: number, complete: boolean, floor: Floor | undefined): boolean {
    return complete || floor === undefined || comesBefore(this.state, item, score, floor);
  }
}

/** The age, in seconds, at which a ranking is to be built anew for time alone. */
function dueSeconds({ by, work_ms }: Ranking): number {
  return Math.max(by.drift_seconds, (BUILDING_RESTS * work_ms) / 1000);
}
