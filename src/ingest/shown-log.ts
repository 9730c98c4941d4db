import type { Clock, Seconds, Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { SHOWN } from '../model/changes/shown.ts';
import { isSampled, type ShownPage } from '../model/shown-page.ts';
import { queueFull } from '../store/refusals.ts';
import type { StateCapacity } from './state-capacity.ts';
import { ChangeBatch } from './state-capacity.ts';
import type { WriteQueue } from './write-queue.ts';

/** A page on its way to the log, see `ShownChange`. */
export interface LoggedPage {
  viewer: string;
  halvings: number;
  page: ShownPage;
}

/** Sends pages to the process that writes. @returns the halvings of its sample */
export type SendShown = (pages: readonly LoggedPage[]) => Promise<number>;

export interface ShownLogOptions {
  queue: Pick<WriteQueue, 'hasRoom' | 'stored'>;
  store: { readonly queued_records: number };
  capacity: StateCapacity;
  clock: Clock;
  timers: Timers;
  /** Undefined while this process writes. */
  sender?(): SendShown | undefined;
}

const HOUR_SECONDS = 3_600;
/** How long a page may be on its way from one process to another and into the log. */
const ON_THE_WAY_SECONDS = 60;

/** Which viewers' pages are logged: of all, then of half of them, and so on, until the hour ends. */
class Sample {
  private hour = 0;
  private left = 0;
  halvings = 0;

  /**
   * @param least the halvings of the sample that the viewer was found in before
   * @returns the halvings of a sample with this viewer; undefined if the page is not logged
   */
  admit(viewer: string, least: number, now: number): number | undefined {
    const hour = Math.floor(now / HOUR_SECONDS);
    if (hour !== this.hour) {
      this.hour = hour;
      this.halvings = 0;
      this.left = LIMITS.shown_pages_per_hour;
    }
    const halvings = Math.max(least, this.halvings);
    if (!isSampled(viewer, halvings)) return undefined;
    if (--this.left > 0) return halvings;
    this.left = LIMITS.shown_pages_per_halving;
    this.halvings++;
    return halvings;
  }

  raise(halvings: number): void {
    this.halvings = Math.max(this.halvings, halvings);
  }
}

/**
 * Logs shown pages for learning, some time after they were sent. A page never waits for it: pages that find no room are
 * not logged, nor are those that the writer does not take.
 */
export class ShownLog {
  readonly totals = { logged: 0, left_out: 0, dropped: 0 };
  private readonly sample = new Sample();
  private waiting: LoggedPage[] = [];
  private flushing: Promise<void> | undefined;
  private cancel: (() => void) | undefined;
  /** When viewers were erased, as far as pages of them may be on their way. */
  private readonly erased = new Map<string, Seconds>();

  constructor(private readonly options: ShownLogOptions) {}

  /** @param viewer as in the rows of seen items */
  add(viewer: string, page: ShownPage): void {
    const halvings = this.sample.admit(viewer, 0, this.options.clock.now());
    if (halvings === undefined) this.totals.left_out++;
    else if (this.waiting.length >= LIMITS.shown_waiting_max) this.totals.dropped++;
    else this.waiting.push({ viewer, halvings, page });
    if (this.flushing !== undefined || this.waiting.length === 0) return;
    if (this.waiting.length >= LIMITS.shown_batch_max) void this.flushed();
    else this.cancel ??= this.options.timers.after(LIMITS.shown_flush_seconds, () => void this.flushed());
  }

  /** Logs pages that another process sends, as far as they are in the sample. @returns the halvings of the sample */
  async take(pages: readonly LoggedPage[]): Promise<number> {
    const now = this.options.clock.now();
    const taken = pages.flatMap((each) => {
      const halvings = this.sample.admit(each.viewer, each.halvings, now);
      return halvings === undefined ? [] : [{ ...each, halvings }];
    });
    await this.store(taken);
    return this.sample.halvings;
  }

  /** Called when a viewer was erased. Pages on their way are dropped, as a purge may have removed the others already. */
  forget(viewer: string): void {
    this.erased.set(viewer, this.options.clock.now());
  }

  /** Whether pages wait, or are being logged. */
  get is_busy(): boolean {
    return this.flushing !== undefined || this.waiting.length > 0;
  }

  /**
   * Call it before acts are queued, so that they count for the pages that were shown before them.
   * @returns undefined if pages that waited are queued by now; otherwise resolves then
   */
  beforeActs(): Promise<void> | undefined {
    if (this.flushing !== undefined) return this.flushing.then(() => void this.flushed());
    void this.flushed();
    return undefined;
  }

  /** Resolves when no page waits any more, logged or dropped. */
  async flushed(): Promise<void> {
    if (this.waiting.length > 0) this.flushing ??= this.flush();
    await this.flushing;
  }

  private async flush(): Promise<void> {
    this.cancel?.();
    this.cancel = undefined;
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, LIMITS.shown_batch_max);
      this.waiting = this.waiting.slice(batch.length);
      await this.deliver(batch).then(
        () => (this.totals.logged += batch.length),
        () => (this.totals.dropped += batch.length),
      );
    }
    this.flushing = undefined;
  }

  private async deliver(batch: readonly LoggedPage[]): Promise<void> {
    const send = this.options.sender?.();
    if (send === undefined) await this.store(batch);
    else this.sample.raise(await send(batch));
  }

  private async store(pages: readonly LoggedPage[]): Promise<void> {
    const { queue, store, capacity, clock } = this.options;
    const applied_at = clock.now();
    for (const [viewer, erased_at] of this.erased)
      if (applied_at - erased_at > ON_THE_WAY_SECONDS) this.erased.delete(viewer);
    const stored = pages.filter(({ viewer }) => !this.erased.has(viewer));
    if (!queue.hasRoom(stored.length)) throw queueFull(store.queued_records);
    const changes = new ChangeBatch(capacity);
    for (const each of stored) changes.push({ kind: SHOWN.kind, ...each, seq: 0, applied_at });
    await queue.stored(changes, stored.length);
  }
}
