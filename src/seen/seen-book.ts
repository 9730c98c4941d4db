import type { Clock, Seconds } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { newPage, newReply, type SeenPage, type SeenReply } from './head.ts';
import { keptSince } from './next-head.ts';
import { RowCache } from './row-cache.ts';
import { SeenRow } from './seen-row.ts';
import { type CountedPage, type SeenStore, type SeenWrite, viewerHash } from './seen-store.ts';
import { mergedWrite, nextRow } from './seen-write.ts';
import { WaitingBatch } from './waiting-batch.ts';

/** How often `merge` tries to write a row. */
const ATTEMPTS_MAX = 5;

export interface SeenBookOptions {
  store: SeenStore;
  /** `Store.seenKey`. */
  key: Uint8Array;
  clock: Clock;
  /** Whether other processes write the rows. Otherwise a cached row needs no read. */
  is_shared: boolean;
  cache_bytes_max: number;
  /** `FEEDLOOM_SEEN_DAYS`; undefined: for ever. */
  days_kept?: number;
}

/** What a page records. Its time is that of recording unless it is given. */
export interface Recording {
  /** Random, below 2^48. */
  page_id: number;
  page?: Pick<SeenPage, 'keys' | 'feed' | 'arm'> & Partial<Pick<SeenPage, 'time'>>;
  /** Only for pages with an `arm`, which experiments count. Teams are those of `keys`. */
  counted?: Pick<CountedPage, 'is_short' | 'teams' | 'point'>;
  reply?: Pick<SeenReply, 'hash' | 'digest' | 'keys' | 'teams'>;
  /** The last change that the page reflects. */
  applied_seq: number;
}

/** A random id, below 2^48. */
export function newPageId(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high & 0xffff) * 2 ** 32 + low;
}

/**
 * `conflict`: the row has another number than the page was built from, so read it and build again. `erased`: the viewer
 * was erased after the page was requested, so nothing of it is recorded, also not by another attempt.
 */
export type RecordOutcome = 'written' | 'conflict' | 'erased';

/** Reads and records what viewers have seen. See `README.md` for the order of calls. */
export class SeenBook {
  private readonly cache: RowCache;
  private readonly reads: WaitingBatch<string, SeenRow>;
  private readonly writes: WaitingBatch<SeenWrite, boolean>;
  /** Number of pages that were not recorded because the stored row had changed. */
  conflicts = 0;
  /** How often a cached row was dropped because the store has another one. */
  private dropped = 0;

  constructor(private readonly options: SeenBookOptions) {
    const { store } = options;
    this.cache = new RowCache(options.cache_bytes_max);
    this.reads = new WaitingBatch((viewers) => this.readNow(viewers), {
      most: LIMITS.seen_batch_max,
      under_way_max: LIMITS.seen_reads_max,
    });
    this.writes = new WaitingBatch(
      async (writes) => {
        const sorted = writes.toSorted((one, other) => (one.viewer < other.viewer ? -1 : 1));
        const written = new Set(await store.write(sorted));
        return ({ viewer }) => written.has(viewer);
      },
      { most: LIMITS.seen_batch_max, under_way_max: 1, nameOf: ({ viewer }) => viewer },
    );
  }

  /** The name of a viewer's row, see `viewerHash`. */
  viewerOf(user_id: string): string {
    return viewerHash(this.options.key, user_id);
  }

  /** Memory of cached rows. */
  get cached_bytes(): number {
    return this.cache.bytes;
  }

  /**
   * The row of a viewer, with every write that was acknowledged before the call. Reads of one turn of the event loop are
   * one statement.
   * @param eventual takes any cached row
   * @throws ServiceError `store_unavailable`
   */
  async read(viewer: string, eventual = false): Promise<SeenRow> {
    if (eventual || !this.options.is_shared) {
      const cached = this.unlessTooOld(viewer);
      if (cached !== undefined) return cached;
    }
    return this.reads.add(viewer);
  }

  /** The cached row. If it has something that is to be forgotten by now, it is dropped and read again. */
  private unlessTooOld(viewer: string): SeenRow | undefined {
    const cached = this.cache.get(viewer);
    const { kept_since } = this;
    if (cached === undefined || kept_since <= 0 || cached.first_time >= kept_since) return cached;
    this.cache.delete(viewer);
    return undefined;
  }

  private get kept_since(): Seconds {
    return keptSince(this.options.clock.now(), this.options.days_kept);
  }

  /** The cached row, for pages while the store does not answer. It may be outdated. */
  cached(viewer: string): SeenRow | undefined {
    return this.cache.get(viewer);
  }

  /**
   * Records a page that was built from a row. Resolves when it is durable.
   * @throws an error if the outcome is unknown: then `settle` reads whether it was written
   */
  async record(row: SeenRow, recording: Recording): Promise<RecordOutcome> {
    if (row.erased_seq > recording.applied_seq) return 'erased';
    const now = this.options.clock.now();
    const { page_id, page: given, reply, counted: about } = recording;
    const page = given && newPage({ time: now, ...given, page_id });
    const added = {
      pages: page && [page],
      reply: reply && newReply({ ...reply, page_id, time: now }),
    };
    const next = nextRow(row, added, now, this.options.days_kept);
    const { viewer } = row;
    const { dropped } = this;
    const counted = page?.arm && about ? countedPage(page, row, about) : undefined;
    // Without an answer, it may have been written.
    const written = await this.writes.add({ ...next.write, counted }).catch((error) => {
      this.forget(viewer);
      throw error;
    });
    if (!written) {
      this.conflicts++;
      this.forget(viewer);
      return 'conflict';
    }
    if (dropped === this.dropped) this.cache.set(next.row);
    else this.cache.delete(viewer);
    return 'written';
  }

  /**
   * Adds pages that were not built from the row, such as those of a file. Resolves when they are durable.
   * @returns how many of their items the row did not have, see `mergedWrite`
   * @throws ServiceError `store_unavailable`
   */
  async merge(viewer: string, pages: readonly SeenPage[]): Promise<number> {
    const { clock, days_kept } = this.options;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const merged = mergedWrite(await this.settle(viewer), pages, clock.now(), days_kept);
      if (merged === undefined) return 0;
      // Without an answer, it may have been written. Then the next attempt has nothing to add.
      const written = await this.writes.add(merged.write).catch(() => false);
      this.forget(viewer);
      if (written) return merged.new_count;
    }
    throw new ServiceError('store_unavailable', 'what a viewer has seen cannot be written', undefined, 5);
  }

  /**
   * The row of a viewer after a write with an unknown outcome.
   *
   * If `row.has(page_id)`, the page was written. Otherwise it may still be under way, but a page built from this row
   * excludes it: one of both conflicts.
   * @throws ServiceError `store_unavailable`
   */
  settle(viewer: string): Promise<SeenRow> {
    this.forget(viewer);
    return this.reads.add(viewer);
  }

  /** Drops the cached row, because something else has written the stored one. */
  forget(viewer: string): void {
    this.dropped++;
    this.cache.delete(viewer);
  }

  private async readNow(viewers: readonly string[]): Promise<(viewer: string) => SeenRow> {
    const rows = new Map(
      viewers.map((viewer) => [viewer, this.unlessTooOld(viewer) ?? SeenRow.none(viewer)] as const),
    );
    const { dropped } = this;
    const stored = await this.options.store.read([...rows.values()]);
    const damaged = new Map<string, unknown>();
    for (const each of stored) {
      const { viewer } = each;
      try {
        const row = SeenRow.from(each, rows.get(viewer), this.kept_since);
        rows.set(viewer, row);
        if (row.number === 0) this.cache.delete(viewer);
      } catch (error) {
        damaged.set(viewer, error);
        rows.delete(viewer);
      }
    }
    for (const [viewer, row] of rows) {
      const is_outdated = dropped !== this.dropped || (row.number === 0 && this.options.is_shared);
      // A write may have been acknowledged meanwhile.
      if (!is_outdated && (this.cache.get(viewer)?.number ?? -1) < row.number) this.cache.set(row);
    }
    return (viewer) => {
      if (damaged.has(viewer)) throw damaged.get(viewer);
      return rows.get(viewer)!;
    };
  }
}

function countedPage(
  page: SeenPage,
  { pages }: SeenRow,
  about: NonNullable<Recording['counted']>,
): CountedPage {
  const { arm, time: timestamp, keys: items } = page;
  const continues = pages.some((one) => one.page_id === page.page_id && one.arm === arm);
  return { arm, timestamp, continues, items, ...about };
}
