import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { State } from '../state/state.ts';
import { RegularPurge } from '../store/regular-purge.ts';
import type { Ingest } from './ingest.ts';
import { RetirementBatch } from './retirement-batch.ts';

const DAY = 86_400;

export interface RetentionOptions {
  state: State;
  ingest: Ingest;
  /** The time as the outside has it, by which items age: one that was once ahead must not make them old. */
  clock: Clock;
  /** What changes are stamped with. */
  stamps: Clock;
  timers: Timers;
  /** How old items get; undefined: as old as they like. */
  days: number | undefined;
  /** Takes what was retired out of the tables; may break off when told to stop. */
  purge(stopping: AbortSignal): Promise<void>;
  /** Is told of a round in which items were retired. */
  onRetired(items: number): void;
  /** Is told of a round or a purge that failed; the next one takes its work over. */
  onFailed(error: Error): void;
}

/**
 * Retires items that are too old, at the start and every few minutes, and now and then purges the tables of
 * what was retired. Items with content are as old as they say, or have been known for longer than that when they are dated
 * ahead. Where the community sees it so, they are as old as the last act on them, but no older than they have been
 * known: history may come act by act. Others (never described, or deleted) are as old as what was last heard of them.
 * Items are listed by the time that they say; no list leads to the rest, so each round looks at some of all items.
 */
export class Retention {
  /** Items retired since the start. */
  retired = 0;
  private readonly stopping = new AbortController();
  private cancel = (): void => {};
  private running: Promise<void> = Promise.resolve();
  private purge: RegularPurge | undefined;
  /** The item that the next round looks at first. */
  private next = 0;

  constructor(private readonly options: RetentionOptions) {}

  begin(): void {
    const { purge, timers, onFailed } = this.options;
    const { signal } = this.stopping;
    this.purge = new RegularPurge({ purge: () => purge(signal) }, timers, onFailed);
    if (this.options.days !== undefined) this.running = this.round(this.options.days);
  }

  /** Resolves when the round that is under way has broken off. */
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
      const cutoff = this.options.clock.now() - days * DAY;
      if (this.options.state.vocabulary.habits.ages_from === 'creation') await this.retireOldest(cutoff);
      await this.lookRound(cutoff);
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

  /** Pings at a share of all items, going round. */
  private async lookRound(cutoff: number): Promise<void> {
    const { items } = this.options.state;
    const share = Math.ceil(items.size * LIMITS.retention_look_share);
    let left = Math.min(items.size, Math.max(LIMITS.retention_look_min, share));
    while (!this.stopped && left > 0) {
      await this.retire((batch) => {
        for (let looked = 0; looked < LIMITS.retention_look_slice && left > 0 && !batch.is_full; looked++) {
          left--;
          if (this.next >= items.size) this.next = 0;
          const item = this.next++;
          if (this.isForgotten(item, cutoff)) batch.offer(item, true);
        }
      });
      await nextTurn();
    }
  }

  /** An item has been known for too long, and nothing keeps it: not a later act, unless it has content and ages from creation. */
  private isForgotten(item: number, cutoff: number): boolean {
    const { items, interactions, vocabulary } = this.options.state;
    if (!items.names.holds(item) || items.last_active_at(item) >= cutoff) return false;
    if (items.described(item)) {
      // It may say that it is from a time to come.
      if (vocabulary.habits.ages_from === 'creation') return true;
      if (items.created_at(item) >= cutoff) return false;
      // Forgotten, it would be back with the next event, which anybody may send.
      if (items.hidden(item)) return false;
    }
    if (items.last_counted_at(item) >= cutoff) return false;
    const log = interactions.by_item;
    return log.length(item) === 0 || log.timestamp(log.end(item) - 1) < cutoff;
  }

  /** Retires the items that `choose` takes, and returns how many these were. */
  private async retire(choose: (batch: RetirementBatch) => void): Promise<number> {
    const { state, ingest, stamps } = this.options;
    let size = 0;
    const { durable } = await ingest.prepared(async (bench) => {
      const batch = new RetirementBatch(state, bench);
      choose(batch);
      size = batch.size;
      if (size > 0) ingest.ensureRoom(1);
      return bench.submit(batch.prepared(stamps.now()));
    });
    await durable;
    this.retired += size;
    return size;
  }
}
