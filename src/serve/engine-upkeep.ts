import { type Clock, monotonicMs as machineMs, systemTimers, type Timers } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Engine, EngineSettings } from '../page/engine.ts';
import { rankedBy } from '../page/page-context.ts';
import { HugePages } from '../platform/huge-pages.ts';
import type { Effort } from '../signals/effort.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import { StoredLists } from './stored-lists.ts';

/** Maximum time for indexing embeddings before a service is ready. */
const INDEXED_WITHIN_MS = 2_000;
/** Seconds between refreshes of idle rankings. */
const CHECK_SECONDS = 5;

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
    return this.idle.checkEvery(CHECK_SECONDS);
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

  get embeddings(): { indexed: number; waiting: number } {
    return this.engine.meanings.figures;
  }

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

/** Maximum duration of a slice of background work (a longer step ends it), and the pause as a multiple of it. */
interface WorkShare {
  slice_ms: number;
  rest: number;
}

const BESIDE_REQUESTS: WorkShare = { slice_ms: 0.5, rest: 3 };
/** While large bodies are processed, with or without feed requests. */
const IN_CROWD: WorkShare = { slice_ms: 0.5, rest: 12 };
/** Without recent feed requests. Timers wait at least a millisecond, so shorter slices would pause for longer. */
const ALONE: WorkShare = { slice_ms: 2, rest: 0.25 };
const ALONE_AFTER_MS = 250;
/** Changes count as arriving for this time after the last ones. */
const CHANGED_WITHIN_MS = 250;

export interface IdleWorkOptions {
  monotonicMs(): number;
  timers: Timers;
  /** In (0, 1]. The smaller, the longer the pauses. */
  effort(): number;
  /** Whether large bodies are being processed. */
  crowded(): boolean;
  /** A step of work that can wait for hours, see `IdleWork`. Returns false if there is none. */
  spare?(): boolean;
}

/**
 * Runs background work in short slices until none is left.
 *
 * During feed requests it uses at most a quarter of the thread's time, and a thirteenth while large bodies are
 * processed. The remaining time of a core is for the writer's thread, which requests wait for.
 *
 * Spare work begins when no other work is left. It stops at a feed request or a large body, until the next check
 * (`checkEvery`) finds neither. While changes arrive it has the pace of a crowd.
 */
export class IdleWork {
  private scheduled = false;
  private rests_until_ms = Number.NEGATIVE_INFINITY;
  private woken_ms = Number.NEGATIVE_INFINITY;
  private changed_ms = Number.NEGATIVE_INFINITY;
  /** Whether the last step was spare work. */
  private is_spare = false;

  /** @param step does a small piece of work; returns false if there is none */
  constructor(
    private readonly step: () => boolean,
    private readonly options: IdleWorkOptions,
  ) {}

  /** Reports a feed request and starts work if none is running. */
  wake(): void {
    this.woken_ms = this.options.monotonicMs();
    this.goOn(this.woken_ms);
  }

  /** Reports changes of the state. */
  changed(): void {
    this.changed_ms = this.options.monotonicMs();
  }

  /** Also checks for work at this interval, without feed requests. @returns a function that stops this */
  checkEvery(seconds: number): () => void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.options.timers.after(seconds, () => {
        this.goOn(this.options.monotonicMs());
        again();
      });
    };
    again();
    return () => cancel();
  }

  private goOn(now_ms: number): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.options.timers.after(Math.max(0, this.rests_until_ms - now_ms) / 1000, () => this.slice());
  }

  private slice(): void {
    const { monotonicMs, effort } = this.options;
    this.scheduled = false;
    const start_ms = monotonicMs();
    const { slice_ms, rest } = this.paceAt(start_ms);
    this.is_spare = false;
    let now_ms = start_ms;
    let worked = true;
    while (worked && now_ms - start_ms < slice_ms) {
      worked = this.step() || this.spareStep(now_ms);
      now_ms = monotonicMs();
    }
    this.rests_until_ms = now_ms + (rest * (now_ms - start_ms)) / effort();
    if (worked) this.goOn(now_ms);
  }

  private spareStep(now_ms: number): boolean {
    const { spare, crowded } = this.options;
    this.is_spare = spare !== undefined && !crowded() && !this.isRequested(now_ms) && spare();
    return this.is_spare;
  }

  private paceAt(now_ms: number): WorkShare {
    if (this.options.crowded()) return IN_CROWD;
    if (this.isRequested(now_ms)) return BESIDE_REQUESTS;
    return this.is_spare && now_ms - this.changed_ms < CHANGED_WITHIN_MS ? IN_CROWD : ALONE;
  }

  private isRequested(now_ms: number): boolean {
    return now_ms - this.woken_ms < ALONE_AFTER_MS;
  }
}
