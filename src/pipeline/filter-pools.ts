import type { Ordinal, RequestContext } from '../plugin/index.ts';
import { ObjectPool } from '../signals/object-pool.ts';
import { CHANGES_KEPT } from '../state/change-ring.ts';
import type { State } from '../state/state.ts';
import type { CompiledFeed, Test } from './compiled-feed.ts';
import type { Engine, Pools } from './engine.ts';
import { FilterPool } from './filter-pool.ts';
import { EntriesScratch, ItemBits } from './item-bits.ts';
import { lastingColumns } from './lasting-columns.ts';
import { allOf } from './visibility.ts';

/** What a pool takes beside its bits, about. */
const POOL_BYTES = 1024;
/** A pool that nobody used for so long is given up; looked at so often. */
const USED_WITHIN_MS = 600_000;
const LOOK_MS = 60_000;
/** Pools that wait to be built; other feeds have to ask again. */
const WAITING_MAX = 256;

export interface PoolLimits {
  /** Memory of all pools; the one used longest ago is given up first. */
  bytes_max: number;
  /** Items tested by one step of building. */
  step_items: number;
}

/** A step takes 0.1 to 0.3 ms. */
const DEFAULT_LIMITS: PoolLimits = { bytes_max: 32 * 1024 * 1024, step_items: 2048 };

interface Kept {
  pool: FilterPool;
  columns: RequestContext;
  /** Items below this have not been tested yet; 0: the pool is whole. */
  below: Ordinal;
  /** The changes that it reflects: versions of `State.rewritten` and `State.changed`. */
  rewritten: number;
  changed: number;
  used_ms: number;
}

/**
 * The items that filters keep, by feed: caches outside the fold that never lag (pipeline-3), and without which
 * pages are the same. A feed that is asked for again gets a pool, built in idle slices; before a pool is
 * used, the items that changed since the last time are tested again.
 */
export class FilterPools implements Pools {
  private readonly pools = new Map<CompiledFeed, Kept>();
  /** Without a pool, but asked for before; `refused`: its filters do not do what they say. */
  private readonly asked = new WeakMap<CompiledFeed, 'before' | 'refused'>();
  private readonly waiting: CompiledFeed[] = [];
  private readonly scratch = new EntriesScratch();
  private readonly marks = new ObjectPool(() => new ItemBits(this.scratch));
  /** The filters of the pool that is being built, good until anything changes. */
  private bound: { kept: Kept; seq: number; test: Test } | undefined;
  private looked_ms = 0;

  constructor(
    private readonly state: State,
    private readonly monotonicMs: () => number,
    private readonly limits: PoolLimits = DEFAULT_LIMITS,
  ) {}

  /** Pools in use, those that wait to be built or are being built, and the memory of both. */
  get figures(): { kept: number; waiting: number; bytes: number } {
    const { pools, waiting, bytes } = this;
    return { kept: pools.size - waiting.length, waiting: waiting.length, bytes };
  }

  /** The pool of a feed as of now; undefined when there is none (yet). O(1), and the changes since it was used. */
  of(feed: CompiledFeed, engine: Engine): FilterPool | undefined {
    if (feed.filters.length === 0) return undefined;
    const kept = this.pools.get(feed);
    if (kept === undefined) {
      this.ask(feed, engine);
      return undefined;
    }
    kept.used_ms = this.monotonicMs();
    return kept.below === 0 && this.isCorrected(feed, kept) ? kept.pool : undefined;
  }

  /** A set of these items, lent until the end of the request. */
  marked(items: Iterable<Ordinal>): ItemBits {
    const bits = this.marks.take();
    for (const item of items) bits.put(item, true);
    return bits;
  }

  /** Ends a request: what it was lent is cleared and may be lent again. */
  takeBack(): void {
    this.marks.takeBack();
  }

  /** Does a piece of the building that is under way; false when nothing is to be built. */
  buildStep(): boolean {
    this.giveUpUnused();
    const [feed] = this.waiting;
    const kept = feed && this.pools.get(feed);
    if (kept === undefined) return false;
    if (!this.isCorrected(feed, kept)) return true;
    try {
      const test = this.testOf(kept);
      const end = Math.max(0, kept.below - this.limits.step_items);
      for (let item = kept.below - 1; item >= end; item--) this.put(kept, item, test);
      kept.below = end;
    } catch {
      this.refuse(feed);
      return true;
    }
    if (kept.below === 0) {
      this.waiting.shift();
      this.bound = undefined;
      this.makeRoom(feed);
    }
    return true;
  }

  private get bytes(): number {
    return this.pools.values().reduce((sum, { pool }) => sum + POOL_BYTES + pool.bytes, 0);
  }

  private ask(feed: CompiledFeed, engine: Engine): void {
    const asked = this.asked.get(feed);
    if (asked === 'refused' || this.waiting.length === WAITING_MAX) return;
    this.asked.set(feed, 'before');
    if (asked === undefined) return;
    const pool = new FilterPool(feed, this.scratch);
    if (pool.filters.length === 0) {
      this.asked.set(feed, 'refused');
      return;
    }
    const { items, rewritten, changed } = this.state;
    this.pools.set(feed, {
      pool,
      columns: lastingColumns(engine, pool.counts),
      below: items.size,
      rewritten: rewritten.version,
      changed: changed.version,
      used_ms: this.monotonicMs(),
    });
    this.waiting.push(feed);
  }

  /** Tests again what changed; false when more did than is known, or a filter fails: then there is no pool any more. */
  private isCorrected(feed: CompiledFeed, kept: Kept): boolean {
    const { rewritten, changed } = this.state;
    const counted = kept.pool.counts ? changed.version - kept.changed : 0;
    const behind = Math.max(rewritten.version - kept.rewritten, counted);
    if (behind === 0) return true;
    if (behind > CHANGES_KEPT) {
      this.giveUp(feed);
      this.asked.delete(feed);
      return false;
    }
    const items = new Set(rewritten.since(kept.rewritten, CHANGES_KEPT));
    if (counted > 0) for (const item of changed.since(kept.changed, CHANGES_KEPT)) items.add(item);
    try {
      const test = this.testOf(kept);
      for (const item of items) this.put(kept, item, test);
    } catch {
      this.refuse(feed);
      return false;
    }
    kept.rewritten = rewritten.version;
    kept.changed = changed.version;
    return true;
  }

  private put({ pool }: Kept, item: Ordinal, test: Test): void {
    pool.put(item, this.state.items.described(item) && test(item));
  }

  /** Bound anew after each change: codes may be others' then. */
  private testOf(kept: Kept): Test {
    const { seq } = this.state;
    if (this.bound?.kept !== kept || this.bound.seq !== seq) {
      const test = allOf(kept.pool.filters.map((filter) => filter.bind(kept.columns)));
      this.bound = { kept, seq, test };
    }
    return this.bound.test;
  }

  private refuse(feed: CompiledFeed): void {
    this.giveUp(feed);
    this.asked.set(feed, 'refused');
  }

  private giveUp(feed: CompiledFeed): void {
    this.pools.delete(feed);
    const place = this.waiting.indexOf(feed);
    if (place >= 0) this.waiting.splice(place, 1);
    this.bound = undefined;
  }

  private giveUpUnused(): void {
    const now_ms = this.monotonicMs();
    if (now_ms - this.looked_ms < LOOK_MS) return;
    this.looked_ms = now_ms;
    for (const [feed, { used_ms }] of this.pools) if (now_ms - used_ms > USED_WITHIN_MS) this.giveUp(feed);
  }

  /** Gives up others until the memory of all is within bounds. */
  private makeRoom(feed: CompiledFeed): void {
    if (this.bytes <= this.limits.bytes_max) return;
    const others = [...this.pools].filter(([other]) => other !== feed);
    others.sort((one, other) => one[1].used_ms - other[1].used_ms);
    for (const [other] of others) {
      if (this.bytes <= this.limits.bytes_max) return;
      this.giveUp(other);
    }
  }
}
