import type { Clock } from '../clock.ts';
import type { ConnectorCursor } from '../store/cursors.ts';
import { queueFull, silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';
import type { IngestContext, Reads } from './context.ts';
import type { ChangeBatch } from './state-capacity.ts';
import { WriteBatch } from './write-batch.ts';
import { THE_SERVICE, WriteTurns } from './write-turns.ts';

const NOTHING: Reads = { items: [], users: [], events: [], erased: [], language: false };

export interface Write {
  /** Has a share of the write queue. Default: the service itself. */
  account?: string;
  /** Number of records behind the changes, for which the queue must have room. Absent: the caller provides for it. */
  records?: number;
  /** Earlier batches of the same body, which must not be refused because of them. */
  earlier?: readonly Promise<void>[];
  /** Whether all earlier changes must have been applied. */
  after_all?: boolean;
  /** Whether the batch may be prepared while another one waits for what it reads. Only if it makes no versions. */
  beside_others?: boolean;
  /** What to read. Absent: nothing. Called again after a failed commit. */
  reads?(): Partial<Reads>;
  /** Prepares what takes several turns of the event loop. Called again with `prepare`. */
  begin?(): Promise<void>;
  /** Adds changes to the batch, in one turn. @returns false if it must begin again */
  prepare(batch: WriteBatch): boolean | undefined;
  /** Stored in the same transaction. Called after `prepare`. */
  cursor?(): ConnectorCursor | undefined;
}

export interface Queued {
  /** Resolves when they are durable and applied. */
  durable: Promise<void>;
}

/**
 * The only way of records to the store: what a batch builds on is read, its changes are prepared and queued in one turn
 * of the event loop, and they are applied when they are durable.
 */
export class WriteQueue {
  readonly turns = new WriteTurns();

  constructor(
    protected readonly context: IngestContext,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly max: number,
  ) {}

  /**
   * Within its account a batch is prepared after the earlier ones, and alone, because each builds on queued versions and
   * may wait for the store. Reading, preparing and queueing begin again if a commit fails meanwhile.
   */
  async write(write: Write): Promise<Queued> {
    const { account = THE_SERVICE, records, earlier = [], beside_others } = write;
    if (this.store.is_silent) throw silent();
    return this.turns.take(account, async () => {
      if (records !== undefined && !this.hasRoom(records)) await Promise.allSettled(earlier);
      if (this.store.is_silent) throw silent();
      const queue = () => this.queue(write, account);
      return beside_others ? queue() : this.turns.exclusively(queue);
    });
  }

  private async queue(write: Write, account: string): Promise<Queued> {
    const { records, after_all, reads, begin, prepare, cursor } = write;
    const { context } = this;
    if (after_all) await this.allApplied();
    for (;;) {
      const { failures } = context;
      await begin?.();
      const latest = await context.read({ ...NOTHING, ...reads?.() });
      if (failures !== context.failures) continue;
      if (records !== undefined) this.ensureRoom(records);
      const batch = new WriteBatch(context, latest, this.clock.now());
      if (prepare(batch) === false) continue;
      const queued = this.queued(batch, records, account, cursor?.());
      if (batch.is_barrier) await Promise.allSettled([queued.durable]);
      return queued;
    }
  }

  protected queued(
    batch: WriteBatch,
    records = batch.length,
    account: string,
    cursor?: ConnectorCursor,
  ): Queued {
    const { onApplied, length } = batch;
    const durable = this.turns.counted(account, length, this.stored(batch, records, cursor)).then(() => {
      for (const callback of onApplied) callback();
    });
    return { durable };
  }

  /** Resolves when all queued changes are applied, or have failed. */
  allApplied(): Promise<void> {
    return this.store.submit([], 0);
  }

  /** Resolves when the changes are durable and applied. Until then their room is reserved. */
  stored({ changes, amounts }: ChangeBatch, records: number, cursor?: ConnectorCursor): Promise<void> {
    this.context.capacity.reserve(amounts);
    return this.store.submit(changes, records, cursor).finally(() => this.context.capacity.release(amounts));
  }

  /** Whether this many records may be queued now. Always true for an empty queue. */
  hasRoom(records: number): boolean {
    const waiting = this.store.queued_records;
    return waiting === 0 || waiting + records <= this.max;
  }

  ensureRoom(records: number): void {
    if (this.store.is_silent) throw silent();
    if (!this.hasRoom(records)) throw queueFull(this.store.queued_records);
  }
}

/** Prepares batches like the write queue. Their changes stay queued in the context of a dry run, and are not stored. */
export class DryRunQueue extends WriteQueue {
  protected override queued({ amounts }: WriteBatch): Queued {
    this.context.capacity.reserve(amounts);
    return { durable: Promise.resolve() };
  }
}
