import type { Ordinal, Signal } from '../plugin/index.ts';
import { CHANGES_KEPT, KEEP_UP } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import { BestItems } from './best-items.ts';
import { tieBreak } from './order.ts';
import { OrderCorrections } from './order-corrections.ts';

/** Length of a new ranking; it grows when somebody reads on, to so many times as far as they read … */
const FIRST_LENGTH = 1024;
const LENGTH_OVER_READ = 8;
/** … and is cut when for so long nobody has read that far, because every change is paid for by its length. */
const READ_WITHIN_MS = 60_000;
/** A ranking that changes with time is built anew in idle slices when it is older than this, in seconds … */
const DRIFT_SECONDS = 5;
/** … and at once when it is older than so many times that. */
const DRIFTS_MAX = 12;
/** Rankings kept, by signal and half-life; the one built longest ago is given up first. */
const RANKINGS_KEPT_MAX = 16;
/** Items looked at, and put in order, by one step of building in the background: 0.1 to 0.5 ms. */
const STEP_ITEMS = 512;
const STEP_ORDERED = 256;

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
  /** The score of whoever asked last, and the rounds of the state's recycler by then: as of `Building`. */
  score: Score;
  rounds: number;
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
  /** How far it was read since `read_from_ms`. */
  read: number;
  read_from_ms: number;
}

const NONE_MISSED: ReadonlySet<Ordinal> = new Set();

/** A ranking that is being built between requests. */
interface Building {
  signal: string;
  score: Score;
  now: number;
  /** The changes up to this are in `best` or named by `missed`. */
  version: number;
  missed: Set<Ordinal>;
  /** Rounds of the state's recycler: what `score` holds on to may mean something else after the next. */
  rounds: number;
  best: BestItems;
  /** Items below this have not been looked at: later ordinals mostly are newer, and of equal scores come first. */
  below: Ordinal;
  described: number;
  /** What has been taken out of `best` so far, worst first. */
  ordered: Ordinal[];
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
   * @param drift_seconds as of `driftSeconds`
   */
  best(signal: string, score: Score, now: number, limit: number, drift_seconds: number): readonly Ordinal[] {
    let ranking = this.rankings.get(signal);
    if (ranking === undefined || this.isStale(ranking, now, drift_seconds)) {
      ranking = this.build(signal, score, now, Math.max(FIRST_LENGTH, limit));
    } else if (ranking.version !== this.state.changed.version || ranking.missed.size > 0) {
      this.correct(ranking, score);
    }
    if (!ranking.complete && ranking.order.length < limit) {
      ranking = this.build(signal, score, now, limit * LENGTH_OVER_READ);
    }
    this.noteRead(ranking, score, limit);
    ranking.score = score;
    ranking.rounds = this.state.recycler.completed;
    if (Math.abs(now - ranking.built_now) > drift_seconds) {
      this.building ??= this.begin(signal, score, now, ranking.order.length);
    }
    return ranking.order;
  }

  /**
   * Takes in what changed when it has become much: otherwise whoever asks after a burst of changes would wait until the
   * ranking is built, seconds among a million items. O(rankings × (length + changes)).
   */
  keepUp(): void {
    if (this.lag_ms === 0) return;
    const { changed, recycler } = this.state;
    for (const [signal, ranking] of this.rankings) {
      const changes = changed.version - ranking.version;
      if (changes < KEEP_UP || changes > CHANGES_KEPT || ranking.rounds !== recycler.completed) continue;
      try {
        this.correct(ranking, ranking.score);
        this.noteRead(ranking, ranking.score, 0);
      } catch {
        // A third party's signal failed: a request that needs the ranking builds it, fails, and is logged.
        this.rankings.delete(signal);
      }
    }
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
      this.noteMissed(building);
      if (building.below > 0) this.offer(building, STEP_ITEMS);
      if (building.below === 0) this.takeInOrder(building, STEP_ORDERED);
      if (building.below > 0 || building.best.size > 0) return true;
      this.keep(building, building.ordered.reverse());
    } catch {
      // Too much changed, or a third party's signal failed. Here that would end the process; a request that needs
      // the ranking builds it itself, fails, and is logged.
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
    return this.keep(building, building.best.sorted());
  }

  private begin(signal: string, score: Score, now: number, length: number): Building {
    const best = new BestItems(Math.max(length, FIRST_LENGTH), (one, other) =>
      tieBreak(this.state, one, other),
    );
    const { changed, items, recycler } = this.state;
    const { version } = changed;
    const rounds = recycler.completed;
    const nothing = { missed: new Set<Ordinal>(), described: 0, ordered: [] };
    return { signal, score, now, version, rounds, best, below: items.size, ...nothing };
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

  private takeInOrder({ best, ordered }: Building, count: number): void {
    for (let left = Math.min(count, best.size); left > 0; left--) ordered.push(best.takeWorst());
  }

  /** What changes while a ranking is built may be in it as it was. @throws Error when too much did */
  private noteMissed(building: Building): void {
    const { changed } = this.state;
    if (changed.version - building.version > CHANGES_KEPT) throw new Error('more changed than is known');
    for (const item of changed.since(building.version, CHANGES_KEPT)) building.missed.add(item);
    building.version = changed.version;
  }

  private keep(building: Building, order: Ordinal[]): Ranking {
    const { signal, score, rounds, now, version, missed, described } = building;
    const read_from_ms = this.monotonicMs();
    const ranking: Ranking = {
      score,
      rounds,
      order,
      complete: order.length === described,
      floor: this.floorOf(order, score),
      version,
      missed,
      built_now: now,
      built_ms: read_from_ms,
      read: 0,
      read_from_ms,
    };
    this.rankings.delete(signal);
    this.rankings.set(signal, ranking);
    const oldest = this.rankings.keys().next().value;
    if (this.rankings.size > RANKINGS_KEPT_MAX && oldest !== undefined) this.rankings.delete(oldest);
    return ranking;
  }

  /** Cuts an order that is longer than anybody needed it for a while. */
  private noteRead(ranking: Ranking, score: Score, limit: number): void {
    ranking.read = Math.max(ranking.read, limit);
    const now_ms = this.monotonicMs();
    if (now_ms - ranking.read_from_ms < READ_WITHIN_MS) return;
    const length = Math.max(FIRST_LENGTH, ranking.read * LENGTH_OVER_READ);
    ranking.read = 0;
    ranking.read_from_ms = now_ms;
    if (ranking.order.length <= 2 * length) return;
    ranking.order.length = length;
    ranking.complete = false;
    ranking.floor = this.floorOf(ranking.order, score);
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
    for (const item of ranking.missed) changed.add(item);
    const scored: { item: Ordinal; score: number }[] = [];
    for (const item of changed) {
      if (!this.state.items.visible(item)) continue;
      const value = score(item);
      if (this.belongs(ranking, item, value)) scored.push({ item, score: value });
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
  private belongs({ complete, floor }: Ranking, item: Ordinal, score: number): boolean {
    if (complete || floor === undefined) return true;
    if (score !== floor.score) return score > floor.score;
    const { items } = this.state;
    const created_at = items.created_at(item);
    return created_at === floor.created_at ? items.names.id(item) <= floor.id : created_at > floor.created_at;
  }
}
