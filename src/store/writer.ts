import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../clock.ts';
import { reasonOf, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../state/change.ts';
import { batchOf, buffersOf } from './batch.ts';
import type { Location } from './connection.ts';
import { type Lane, Lanes, type Submission } from './lanes.ts';
import type { Errand, ErrandReply, Order, Reply, WriteReply } from './messages.ts';
import { StillNeeded } from './purge-work.ts';
import { errorOf, notBegun, queueFull, shuttingDown, takenOver, unavailable } from './refusals.ts';
import { type Patience, ThreadLink } from './thread-link.ts';

export interface WriterHooks {
  /** In `seq` order: one submission or several small ones, before their promises resolve. Must not throw. */
  onCommitted(changes: readonly Change[]): void;
  /** Everything that was queued has been refused: keys given to it are free again. */
  onFailed(): void;
  /** Once, with the reason: nothing is written any more until the data is opened again. */
  onStopped?(reason: Error): void;
  /** The last `applied_at` that is stored (seconds); 0 for none. */
  last_applied_at: number;
}

/** Where a writer writes, and from where on. */
export interface WriterStart {
  location: Location;
  /** See `raiseFence`. */
  fence: string;
  /** The last `seq` in memory. */
  highest_seq: number;
  patience?: Patience;
}

interface Message {
  submissions: Submission[];
  changes: Change[];
}

interface Waiting {
  errand: Errand;
  resolve(reply: ErrandReply): void;
  reject(error: Error): void;
}

/**
 * Group commit. One message is under way to the writer's thread; what is submitted meanwhile travels in
 * the next, in order of submission within its lane. A submission is never divided. What a message has stored is
 * applied and acknowledged in portions with a turn of the event loop between them, so that nobody waits
 * for all of a large one.
 */
export class Writer {
  private readonly lanes = new Lanes();
  private readonly errands: Waiting[] = [];
  private queued = 0;
  private last_applied_at: number;
  /** A message whose commit could not be asked about: the next order finds out. */
  private unresolved: Message | undefined;
  private running: Promise<void> | undefined;
  private closing = false;
  /** Why nothing is written any more; undefined: it is. */
  private stopped: Error | undefined;

  private constructor(
    private readonly link: ThreadLink<Order, Reply>,
    private readonly hooks: WriterHooks,
    private readonly queue_max: number,
    private highest_seq: number,
  ) {
    this.last_applied_at = hooks.last_applied_at;
  }

  /**
   * @throws StartupError `writer_failed` when the writer's thread cannot open the database, or what opening it is refused with;
   * `data_taken_over` when another process has done so to write, or there is more in the data than in memory
   */
  static async start(
    { location, fence, highest_seq, patience }: WriterStart,
    hooks: WriterHooks,
    queue_max: number,
  ): Promise<Writer> {
    const link = new ThreadLink<Order, Reply>('store/writer-worker', 'the store', patience);
    try {
      const reply = await link.ask({ type: 'open', location, fence });
      if (reply.type !== 'opened') throw notOpened(reply);
      const { highest_seq: stored } = reply;
      if (stored !== highest_seq)
        throw takenOver(`wrote to the data (up to ${stored}, read up to ${highest_seq})`);
      return new Writer(link, hooks, queue_max, highest_seq);
    } catch (error) {
      link.terminate();
      throw error instanceof StartupError ? error : notBegun(reasonOf(error));
    }
  }

  get is_stopped(): boolean {
    return this.stopped !== undefined;
  }

  get is_silent(): boolean {
    return this.link.is_silent;
  }

  hurry(timers: Timers): void {
    this.link.hurry(timers);
  }

  /** Writes nothing any more; what waits is refused. */
  stop(reason: Error): void {
    if (this.stopped !== undefined) return;
    this.stopped = reason;
    this.hooks.onStopped?.(reason);
  }

  /** Records that wait or are under way. */
  get queued_records(): number {
    return this.queued;
  }

  /**
   * Resolves when `changes` are durable and `onCommitted` has seen them. Stamps `seq` on them, and raises
   * `applied_at` where it would go back. What `changes` refer to must be committed or in an earlier
   * submission of the same lane or of the express lane, which overtakes the bulk lane and never the reverse.
   * Without changes it resolves when what was submitted before is durable: that may be what says the same.
   * @param records that the changes come from: the queue counts these
   * @throws ServiceError `write_queue_full`, `store_unavailable`, `shutting_down`
   */
  submit(changes: Change[], lane: Lane, records: number): Promise<void> {
    if (this.stopped !== undefined) return Promise.reject(unavailable(this.stopped));
    if (this.closing) return Promise.reject(shuttingDown());
    // Nothing is new, as what would be is under way: acknowledged when that is stored.
    if (changes.length === 0 && this.running === undefined) return Promise.resolve();
    const is_full = this.queued > 0 && this.queued + records > this.queue_max;
    if (is_full) return Promise.reject(queueFull(this.queued));
    this.queued += records;
    return new Promise((resolve, reject) => {
      this.lanes.add(lane, { changes, records, resolve, reject });
      this.wake();
    });
  }

  /**
   * Does something on the writing connection between two messages, in order. Not to be asked of a silent store.
   * @throws ServiceError `store_unavailable`, `shutting_down`; StillNeeded of a purge
   */
  run(errand: Errand): Promise<ErrandReply> {
    if (this.stopped !== undefined) return Promise.reject(unavailable(this.stopped));
    if (this.closing) return Promise.reject(shuttingDown());
    return new Promise((resolve, reject) => {
      this.errands.push({ errand, resolve, reject });
      this.wake();
    });
  }

  /** Waits for everything that was submitted; refuses what comes later. */
  async close(): Promise<void> {
    this.closing = true;
    await this.running;
    // One that has died has nothing left to close.
    if (this.stopped === undefined) await this.link.ask({ type: 'close' }).catch(() => {});
    this.link.terminate();
  }

  private wake(): void {
    // One turn later, so that whatever is submitted in this one shares a transaction.
    this.running ??= Promise.resolve().then(() => this.work());
  }

  private async work(): Promise<void> {
    let committed: Message | undefined;
    let errand_done = false;
    do {
      // Errands may come one upon the other: between two of them goes a message that waits.
      const waiting: Waiting | undefined =
        errand_done && !this.lanes.empty ? undefined : this.errands.shift();
      errand_done = waiting !== undefined;
      const running = waiting && this.runErrand(waiting);
      const message = running ? undefined : this.form();
      const writing = message && this.write(message);
      // The thread is busy with the next order while this message is applied.
      if (committed !== undefined) await this.deliver(committed);
      committed = message && writing && this.settled(message, await writing);
      await running;
    } while (committed !== undefined || !this.lanes.empty || this.errands.length > 0);
    this.running = undefined;
  }

  private form(): Message | undefined {
    if (this.stopped !== undefined) this.fail(undefined, this.stopped);
    const submissions = this.lanes.take(LIMITS.transaction_rows_max);
    if (submissions.length === 0) return undefined;
    const changes = changesOf(submissions);
    for (const change of changes) {
      if (change.applied_at < this.last_applied_at) change.applied_at = this.last_applied_at;
      else this.last_applied_at = change.applied_at;
    }
    return { submissions, changes };
  }

  private async write(message: Message): Promise<WriteReply> {
    const expected = this.highest_seq;
    const settled_if = this.unresolved && expected + this.unresolved.changes.length;
    try {
      const batch = batchOf(message.changes, expected + 1);
      const order: Order = { type: 'write', expected, settled_if, batch };
      const reply = await this.link.ask(order, buffersOf(batch.tables));
      if (reply.type === 'written' || reply.type === 'settled' || reply.type === 'failed') return reply;
      throw new Error(`unexpected reply '${reply.type}'`);
    } catch (error) {
      this.stop(asError(error));
      return { type: 'failed', outcome: 'unknown', reason: reasonOf(error) };
    }
  }

  /** Takes note of what became of `message`; returns it if it is to be delivered. */
  private settled(message: Message, reply: WriteReply): Message | undefined {
    if (reply.type === 'written') {
      this.unresolved = undefined;
      return this.stamped(message);
    }
    const former = this.unresolved;
    if (reply.type === 'settled' && former !== undefined) {
      this.unresolved = undefined;
      this.apply(this.stamped(former).changes);
      this.fail(message, new Error('an earlier message turned out to be stored'));
      return undefined;
    }
    if (reply.type === 'failed') {
      if (reply.outcome === 'unknown') this.unresolved = message;
      if (reply.outcome === 'overtaken') this.stop(new Error(reply.reason));
    }
    this.fail(message, new Error(reply.type === 'failed' ? reply.reason : reply.type));
    return undefined;
  }

  private stamped(message: Message): Message {
    for (const change of message.changes) change.seq = ++this.highest_seq;
    return message;
  }

  private apply(changes: readonly Change[]): void {
    if (this.stopped !== undefined) return;
    try {
      this.hooks.onCommitted(changes);
    } catch (error) {
      // Memory is no longer what the store says.
      this.stop(asError(error));
    }
  }

  private async deliver({ submissions }: Message): Promise<void> {
    const left = new Lanes(submissions);
    while (!left.empty) {
      const portion = left.take(LIMITS.applied_rows_max);
      const applied = changesOf(portion);
      if (applied.length > 0) this.apply(applied);
      for (const { records, resolve, reject } of portion) {
        this.queued -= records;
        if (this.stopped === undefined) resolve();
        else reject(unavailable(this.stopped));
      }
      if (!left.empty) await nextTurn();
    }
  }

  /** Refuses `message` and everything behind it: what is queued may build on what has not happened. */
  private fail(message: Message | undefined, cause: Error): void {
    const refused = [...(message?.submissions ?? []), ...this.lanes.takeAll()];
    this.hooks.onFailed();
    for (const { records, reject } of refused) {
      this.queued -= records;
      reject(unavailable(cause));
    }
  }

  private async runErrand({ errand, resolve, reject }: Waiting): Promise<void> {
    try {
      const reply = await this.link.ask(errand);
      if (reply.type === 'failed' && reply.outcome === 'overtaken') this.stop(new Error(reply.reason));
      if (reply.type === 'done') resolve(reply);
      else if (reply.type === 'failed' && reply.outcome === 'needed') reject(new StillNeeded(reply.reason));
      else throw new Error(reply.type === 'failed' ? reply.reason : `unexpected reply '${reply.type}'`);
    } catch (error) {
      reject(unavailable(error));
    }
  }
}

function notOpened(reply: Exclude<Reply, { type: 'opened' }>): Error {
  if (reply.type !== 'failed') return new Error(`unexpected reply '${reply.type}'`);
  return reply.outcome === 'overtaken' ? takenOver() : errorOf(reply);
}

function changesOf(submissions: readonly Submission[]): Change[] {
  return submissions.length === 1 ? submissions[0].changes : submissions.flatMap(({ changes }) => changes);
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(reasonOf(error)));
