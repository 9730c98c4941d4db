import { type Clock, monotonicMs as machineMs, systemTimers, type Timers } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Engine, EngineSettings } from '../page/engine.ts';
import { rankedBy } from '../page/page-context.ts';
import { HugePages } from '../platform/huge-pages.ts';
import type { Effort } from '../plugin/index.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import { IdleWork } from './idle-work.ts';
import { StoredLists } from './stored-lists.ts';

/** Maximum time for indexing embeddings before a service is ready. */
const INDEXED_WITHIN_MS = 2_000;
/** Seconds between refreshes of idle rankings. */
const LOOK_SECONDS = 5;

/** Maximum number of acts of hidden or unhidden users that are settled with the change itself: some milliseconds. */
const SETTLED_AT_ONCE = 8_000;
/** These acts are settled in slices of this number, because rankings must keep up with the changes. */
const SETTLED_AT_A_TIME = 1_000;
/** The number of acts that one step of background work settles. */
const SETTLED_IN_STEP = 256;

interface UpkeepOptions extends Pick<EngineSettings, 'derived_lag_ms' | 'monotonicMs'> {
  ingest: Ingest;
  clock: Clock;
  timers?: Timers;
  /** The current effort. */
  effort(): Effort;
}

/** Keeps what pages are made from up to date: rankings, neighbour lists, pools, and the index of embeddings. */
export class EngineUpkeep {
  private readonly idle: IdleWork;
  private readonly huge_pages: HugePages;
  /** Which lists are built ahead of requests: none, those that a start needs, or those that became outdated. */
  private ahead: 'none' | 'warm-up' | 'refresh' = 'none';
  private turn = 0;

  constructor(
    private readonly engine: Engine,
    private readonly options: UpkeepOptions,
  ) {
    const { state, walk, trend_rates, latest_acts } = engine;
    const { monotonicMs = machineMs, timers = systemTimers, effort, ingest } = options;
    this.huge_pages = new HugePages([state, walk, trend_rates, latest_acts], monotonicMs);
    this.idle = new IdleWork(() => this.workAhead(), {
      monotonicMs,
      timers,
      effort,
      crowded: () => ingest.throttle.crowded,
      spare: () => this.ahead === 'refresh' && walk.refresh(),
    });
    state.recycler.watch(() => this.wake());
  }

  /** Starts background work if there is any. Call it after each request. */
  wake(): void {
    this.idle.wake();
  }

  /**
   * Builds the rankings of some signals and, for up to two seconds, the index of embeddings, so that the first requests
   * need not. Does nothing if rankings may not lag.
   * @param slice awaited at intervals
   */
  async buildRankings(signals: readonly string[], slice: () => Promise<void>): Promise<void> {
    const { clock, derived_lag_ms } = this.options;
    if (derived_lag_ms === 0) return;
    const { rankings, meanings } = this.engine;
    for (const signal of signals) rankings.expect(rankedBy(this.engine, signal));
    while (rankings.buildStep(clock.now()) || rankings.renew(clock.now())) await slice();
    const until_ms = this.engine.monotonicMs() + INDEXED_WITHIN_MS;
    while (meanings.is_building && this.engine.monotonicMs() < until_ms) {
      meanings.step();
      await slice();
    }
  }

  /**
   * Builds the rankings of some signals and neighbour lists in idle time, before they are requested.
   *
   * It also refreshes rankings and lists while there are no requests. @returns a function that stops these refreshes
   */
  warmUp(signals: readonly string[]): () => void {
    for (const signal of signals) this.engine.rankings.expect(rankedBy(this.engine, signal));
    this.ahead = 'warm-up';
    this.idle.wake();
    return this.idle.lookEvery(LOOK_SECONDS);
  }

  /**
   * The neighbour lists, to be stored and loaded. Undefined if lists may not lag (`derived_lag_ms` 0), so that stored
   * lists are useless.
   */
  storedLists(missed: MissedChanges): StoredLists | undefined {
    const { state, walk, meanings } = this.engine;
    return this.options.derived_lag_ms === 0 ? undefined : new StoredLists(state, walk, meanings, missed);
  }

  /** Updates data that is derived from the state. Call it after changes were applied. */
  keepUp(): void {
    const { state } = this.engine;
    const now = this.options.clock.now();
    this.idle.changed();
    this.engine.rankings.keepUp(now);
    for (let acts = 0; acts < SETTLED_AT_ONCE && state.is_settling; acts += SETTLED_AT_A_TIME) {
      this.settleSome(SETTLED_AT_A_TIME, now);
    }
    if (state.is_settling) this.idle.wake();
  }

  /** The number of cached and queued neighbour lists, and whether they or the index of embeddings are still being built. */
  get lists(): { kept: number; waiting: number; warming: boolean } {
    const { walk, meanings } = this.engine;
    return { ...walk.lists, warming: this.ahead === 'warm-up' || meanings.is_building };
  }

  /** The number of embeddings in the index, and of those that wait to be indexed. */
  get embeddings(): { indexed: number; waiting: number } {
    return this.engine.meanings.figures;
  }

  /** Figures of the filter pools. */
  get pools(): { kept: number; waiting: number; bytes: number } {
    return this.engine.pools.figures;
  }

  /** Repeatable pages need a settled state. */
  settleIfExact(): void {
    if (this.options.derived_lag_ms === 0) this.engine.state.settle(Number.POSITIVE_INFINITY);
  }

  /** Performs one step of background work. Returns false if there is none. */
  private workAhead(): boolean {
    const { walk, meanings, rankings, pools } = this.engine;
    const now = this.options.clock.now();
    if (this.engine.state.is_settling) {
      this.settleSome(SETTLED_IN_STEP, now);
      return true;
    }
    if (walk.forgetSome() || rankings.buildStep(now) || rankings.renew(now)) return true;
    // In turns, so that no kind of work starves.
    this.turn = (this.turn + 1) % 3;
    if (this.turn === 0 && pools.buildStep()) return true;
    if (this.turn === 1 && meanings.step()) return true;
    if (walk.buildQueued() || pools.buildStep() || meanings.step()) return true;
    if (this.ahead !== 'warm-up') return false;
    // A huge page step takes milliseconds, so it only runs while warming up, after the lists are built.
    if (walk.warmUp() || this.huge_pages.step()) return true;
    this.ahead = 'refresh';
    return false;
  }

  /** Suspends or resumes some interactions of users who were hidden or unhidden, and updates caches. */
  private settleSome(acts: number, now: number): void {
    this.engine.state.settle(acts);
    this.engine.rankings.keepUp(now);
  }
}
