import { CHANGES_KEPT } from '../columns/change-ring.ts';
import type { BoundFilter, CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import type { Defaults, ItemColumns, Ordinal, RequestContext, UserColumns } from '../plugin/index.ts';
import { ObjectPool } from '../signals/object-pool.ts';
import type { State } from '../state/state.ts';
import { allOf } from './all-of.ts';
import { EntriesScratch, ItemBits } from './item-bits.ts';

/** Approximate memory of a pool besides its bits. */
const POOL_BYTES = 1024;
/** A pool is removed after this time without use, and the check runs at this interval. */
const USED_WITHIN_MS = 600_000;
const CHECK_MS = 60_000;
/** Maximum number of queued pools. Further feeds have to request theirs again. */
const WAITING_MAX = 256;

export interface PoolLimits {
  /** Maximum memory of all pools. The least recently used pool is removed first. */
  bytes_max: number;
  step_items: number;
}

/** A step takes 0.1 to 0.3 ms. */
const DEFAULT_LIMITS: PoolLimits = { bytes_max: 32 * 1024 * 1024, step_items: 2048 };

interface FilledPool {
  pool: FilterPool;
  columns: RequestContext;
  /** Items from this ordinal on have been tested. 0: the pool is complete. */
  below: Ordinal;
  /** The changes that it reflects: versions of `State.rewritten` and `State.changed`. */
  rewritten: number;
  changed: number;
  used_ms: number;
}

/**
 * Caches the items that filters keep, per feed. The cache is never stale, and pages are the same without it (page-3).
 *
 * A feed that is requested a second time gets a pool, which is built while the service is idle. Before each use,
 * items that changed since the last use are tested again.
 */
export class FilterPools {
  private readonly pools = new Map<CompiledFeed, FilledPool>();
  /** Feeds without a pool that were requested. `refused`: a filter violates its `depends_on`. */
  private readonly asked = new WeakMap<CompiledFeed, 'before' | 'refused'>();
  private readonly waiting: CompiledFeed[] = [];
  private readonly scratch = new EntriesScratch();
  private readonly marks = new ObjectPool(() => new ItemBits(this.scratch));
  /** The bound filters of the pool that is being built. Valid until the next change. */
  private bound: { kept: FilledPool; seq: number; test: Test } | undefined;
  private checked_ms = 0;

  constructor(
    private readonly state: State,
    private readonly monotonicMs: () => number,
    private readonly limits: PoolLimits = DEFAULT_LIMITS,
  ) {}

  /** The number of usable pools and of queued or unfinished pools, and the memory of both. */
  get figures(): { kept: number; waiting: number; bytes: number } {
    const { pools, waiting, bytes } = this;
    return { kept: pools.size - waiting.length, waiting: waiting.length, bytes };
  }

  /** The current pool of a feed. Undefined if there is none yet. O(changes since the last use). */
  of(feed: CompiledFeed, parts: Viewerless): FilterPool | undefined {
    if (feed.filters.length === 0) return undefined;
    const kept = this.pools.get(feed);
    if (kept === undefined) {
      this.ask(feed, parts);
      return undefined;
    }
    kept.used_ms = this.monotonicMs();
    return kept.below === 0 && this.isCorrected(feed, kept) ? kept.pool : undefined;
  }

  /** A set of these items, valid until the end of the request. */
  marked(items: Iterable<Ordinal>): ItemBits {
    const bits = this.marks.take();
    for (const item of items) bits.put(item, true);
    return bits;
  }

  takeBack(): void {
    this.marks.takeBack();
  }

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

  private ask(feed: CompiledFeed, parts: Viewerless): void {
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
      columns: viewerlessRequest(parts, pool.counts),
      below: items.size,
      rewritten: rewritten.version,
      changed: changed.version,
      used_ms: this.monotonicMs(),
    });
    this.waiting.push(feed);
  }

  /**
   * Tests changed items again.
   *
   * Returns false and drops the pool if there were too many changes or a filter failed.
   */
  private isCorrected(feed: CompiledFeed, kept: FilledPool): boolean {
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

  private put({ pool }: FilledPool, item: Ordinal, test: Test): void {
    pool.put(item, this.state.items.described(item) && test(item));
  }

  /** Binds the filters again after each change, since codes may have been reassigned. */
  private testOf(kept: FilledPool): Test {
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
    if (now_ms - this.checked_ms < CHECK_MS) return;
    this.checked_ms = now_ms;
    for (const [feed, { used_ms }] of this.pools) if (now_ms - used_ms > USED_WITHIN_MS) this.giveUp(feed);
  }

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

/**
 * The items that pass those filters of a feed that declare `depends_on`, so the result is the same for every viewer.
 *
 * Items without content are never in it.
 */
export class FilterPool extends ItemBits {
  readonly filters: readonly BoundFilter[];
  readonly counts: boolean;
  private shortest = { length: 0, version: -1 };

  constructor(feed: CompiledFeed, scratch: EntriesScratch) {
    super(scratch);
    this.filters = feed.filters.filter(isLasting);
    this.counts = this.filters.some(({ depends_on }) => depends_on === 'item');
  }

  /**
   * The length of the shortest postings that the filters name, cached.
   * @param version the version of all contents (`State.rewritten`)
   */
  shortestPostings(version: number, find: () => number): number {
    if (this.shortest.version !== version) this.shortest = { length: find(), version };
    return this.shortest.length;
  }
}

/** Whether a filter keeps the same items for all viewers, at any time. */
export function isLasting({ depends_on }: BoundFilter): boolean {
  return depends_on === 'content' || depends_on === 'item';
}

interface Viewerless {
  columns: { item: ItemColumns; user: Omit<UserColumns, 'following'> };
  defaults: Defaults;
}

function refuse(what: string): () => never {
  return () => {
    throw new Error(`it looks at ${what}, which its depends_on leaves out`);
  };
}

/**
 * The request that a filter with `depends_on` gets when its results are cached for all viewers and times.
 *
 * It has the columns of items. Reading a viewer, a time, a field of a user or anything else throws.
 * @param counts whether counters may be read
 */
function viewerlessRequest(
  { columns: { item, user }, defaults }: Viewerless,
  counts: boolean,
): RequestContext {
  const [counter, time, viewer] = [refuse('a counter'), refuse('the time'), refuse('the viewer')];
  const signal = refuse('a signal');
  return {
    item: {
      ...item,
      ...(counts ? {} : { likes_count: counter, comments_count: counter, shares_count: counter }),
      engagement_since: time,
      // Access to another item would miss changes of that item.
      find: refuse('another item'),
      labelled: refuse('labels'),
      labelled_items: refuse('labels'),
    },
    user: { ...user, field: refuse('a field of a user'), following: refuse('a following list') },
    defaults,
    random: refuse('chance'),
    signal,
    greatest: signal,
    get viewer() {
      return viewer();
    },
    get now() {
      return time();
    },
    get trend() {
      return time();
    },
    get shown() {
      return time();
    },
    learnt: signal,
  };
}
