import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, DAY_SECONDS, type Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { State } from '../state/state.ts';
import { RegularPurge } from '../store/regular-purge.ts';
import type { Ingest } from './ingest.ts';
import { RetirementBatch } from './retirement-batch.ts';

export interface RetentionOptions {
  state: State;
  ingest: Ingest;
  /** The machine's clock, by which items age. A clock that was once ahead must not make them old. */
  clock: Clock;
  timers: Timers;
  /** Maximum age of items in days; undefined for unlimited. */
  days: number | undefined;
  /** Purges retired items. Stops early when `stopping` aborts. */
  purge(stopping: AbortSignal): Promise<void>;
  /** Gets the number of items that a round retired. */
  onRetired(items: number): void;
  /** Gets the error of a failed round or purge. The next one repeats its work. */
  onFailed(error: Error): void;
}

/**
 * Retires old items, at the start and every few minutes, and sometimes purges them from the tables.
 *
 * The age of an item with content is its stated age, or the time since its arrival if it is dated ahead. Some
 * communities count from the last act on the item, but never from before its arrival, because history may arrive act by
 * act. Items without content (undescribed or deleted) age from their last record.
 *
 * Items with content are found by their stated time. There is no list of the others, so each round checks a part of all
 * items.
 */
export class Retention {
  retired = 0;
  private readonly stopping = new AbortController();
  private cancel = (): void => {};
  private running: Promise<void> = Promise.resolve();
  private purge: RegularPurge | undefined;
  private next = 0;

  constructor(private readonly options: RetentionOptions) {}

  begin(): void {
    const { purge, timers, onFailed } = this.options;
    const { signal } = this.stopping;
    this.purge = new RegularPurge({ purge: () => purge(signal) }, timers, onFailed);
    if (this.options.days !== undefined) this.running = this.round(this.options.days);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.cancel();
    this.purge?.stop();
    await this.running;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async round(days: number): Promise<void> {
    const before = this.retired;
    try {
      const cutoff = this.options.clock.now() - days * DAY_SECONDS;
      if (this.options.state.vocabulary.habits.ages_from === 'creation') await this.retireOldest(cutoff);
      await this.retireForgotten(cutoff);
    } catch (error) {
      if (!this.stopped) this.options.onFailed(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.retired > before) this.options.onRetired(this.retired - before);
    if (this.stopped) return;
    this.cancel = this.options.timers.after(LIMITS.retention_every_seconds, () => {
      this.running = this.round(days);
    });
  }

  private async retireOldest(cutoff: number): Promise<void> {
    const { by_time, items } = this.options.state;
    const choose = (batch: RetirementBatch): void => {
      for (let at = by_time.start(0); at < by_time.end(0) && !batch.is_full; at++) {
        const item = by_time.item(at);
        if (items.created_at(item) >= cutoff) return;
        batch.offer(item, false);
      }
    };
    while (!this.stopped && (await this.retire(choose)) > 0) await nextTurn();
  }

  private async retireForgotten(cutoff: number): Promise<void> {
    const { items } = this.options.state;
    const share = Math.ceil(items.size * LIMITS.retention_check_share);
    let left = Math.min(items.size, Math.max(LIMITS.retention_check_min, share));
    while (!this.stopped && left > 0) {
      await this.retire((batch) => {
        for (
          let checked = 0;
          checked < LIMITS.retention_check_slice && left > 0 && !batch.is_full;
          checked++
        ) {
          left--;
          if (this.next >= items.size) this.next = 0;
          const item = this.next++;
          if (this.isForgotten(item, cutoff)) batch.offer(item, true);
        }
      });
      await nextTurn();
    }
  }

  /** Whether an item is old and no later act keeps it. Acts do not keep items with content that age from creation. */
  private isForgotten(item: number, cutoff: number): boolean {
    const { items, interactions, vocabulary } = this.options.state;
    if (!items.names.holds(item) || items.last_active_at(item) >= cutoff) return false;
    if (items.described(item)) {
      // Its stated time may be in the future.
      if (vocabulary.habits.ages_from === 'creation') return true;
      if (items.created_at(item) >= cutoff) return false;
      // A retired item would come back with the next event, which any client may send.
      if (items.hidden(item)) return false;
    }
    if (items.last_counted_at(item) >= cutoff) return false;
    const log = interactions.by_item;
    return log.length(item) === 0 || log.timestamp(log.end(item) - 1) < cutoff;
  }

  private async retire(choose: (batch: RetirementBatch) => void): Promise<number> {
    let size = 0;
    const { ingest } = this.options;
    const { durable } = await ingest.queue.write({
      prepare: (batch) => {
        const retired = new RetirementBatch(batch);
        choose(retired);
        size = retired.size;
        if (size > 0) ingest.queue.ensureRoom(1);
        retired.add();
      },
    });
    await durable;
    this.retired += size;
    return size;
  }
}
