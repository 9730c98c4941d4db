import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../clock.ts';
import { reasonOf, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../model/change.ts';
import { batchOf, buffersOf } from './batch.ts';
import type { Location } from './connection.ts';
import type { ConnectorCursor } from './cursors.ts';
import type { Order, Reply, WriteReply, WriterTask } from './messages.ts';
import { StillNeeded } from './purge-work.ts';
import { errorOf, notBegun, queueFull, shuttingDown, takenOver, unavailable } from './refusals.ts';
import { type Submission, takeSubmissions } from './submission-queue.ts';
import { type Patience, ThreadLink } from './thread-link.ts';

export interface WriterHooks {
  /**
   * Gets committed changes in `seq` order, before the promises of their submissions resolve. Must not fail.
   * @returns a promise if the next changes must wait for it
   */
  onCommitted(changes: readonly Change[]): unknown;
  /** Called when all queued submissions were refused, so that their keys are free again. */
  onFailed(): void;
  /** Called once with the reason when writing ended until the data is opened again. */
  onStopped?(reason: Error): void;
  /** Watches a submission. @returns a function to call at its end, with the error if it failed */
  onSubmitted?(changes: number): ((error?: unknown) => void) | undefined;
  /** The last stored `applied_at` in seconds; 0 if there is none. */
  last_applied_at: number;
}

/** The data that a writer writes to, and its start. */
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
  task: WriterTask;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Writes changes with group commit.
 *
 * One message is under way to the writer's thread. Submissions that arrive meanwhile go into the next message, in order
 * within their priority. A submission is never divided. The changes of a committed message are applied and acknowledged
 * in portions with a turn of the event loop between them, so that a large one does not block.
 */
export class Writer {
  private readonly queue: Submission[] = [];
  private readonly tasks: Waiting[] = [];
  private queued = 0;
  private last_applied_at: number;
  /** A message whose outcome is unknown. The next order finds out. */
  private unresolved: Message | undefined;
  private running: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  /** Why writing ended; undefined while it works. */
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
   * @throws StartupError `writer_failed` if the writer's thread cannot open the database, or its refusal;
   * `data_taken_over` if another process took over the data, or the data has more than memory
   */
  static async start(
    { location, fence, highest_seq, patience }: WriterStart,
    hooks: WriterHooks,
    queue_max: number,
  ): Promise<Writer> {
    const link = new ThreadLink<Order, Reply>('store/writer-worker', 'the store', patience);
    try {
      const reply = await link.request({ type: 'open', location, fence });
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

  applyTimeout(timers: Timers): void {
    this.link.applyTimeout(timers);
  }

  /** Ends writing for good and refuses the queue. */
  stop(reason: Error): void {
    if (this.stopped !== undefined) return;
    this.stopped = reason;
    this.hooks.onStopped?.(reason);
  }

  /** Records that wait or are being written. */
  get queued_records(): number {
    return this.queued;
  }

  /**
   * Resolves when `changes` are durable and `onCommitted` has seen them.
   *
   * Sets their `seq`, and raises `applied_at` if it would go back. Changes may refer only to committed changes
   * and to earlier submissions.
   *
   * Without changes it resolves when the earlier submissions are durable, which may contain the same information.
   * @param records number of records behind the changes, which the queue counts
   * @param cursor is stored in the same transaction, even without changes
   * @throws ServiceError `write_queue_full`, `store_unavailable`, `shutting_down`
   */
  submit(changes: Change[], records: number, cursor?: ConnectorCursor): Promise<void> {
    if (this.stopped !== undefined) return Promise.reject(unavailable(this.stopped));
    if (this.closing !== undefined) return Promise.reject(shuttingDown());
    // There is nothing new. If an equal change is under way, wait until it is stored.
    if (changes.length === 0 && cursor === undefined && this.running === undefined) return Promise.resolve();
    const is_full = this.queued > 0 && this.queued + records > this.queue_max;
    if (is_full) return Promise.reject(queueFull(this.queued));
    this.queued += records;
    const submitted = new Promise<void>((resolve, reject) => {
      this.queue.push({ changes, records, cursor, resolve, reject });
      this.wake();
    });
    const end = this.hooks.onSubmitted?.(changes.length);
    if (end !== undefined) submitted.then(() => end(), end);
    return submitted;
  }

  /**
   * Runs a task on the writing connection between two messages, in order. Check `is_silent` first.
   * @throws ServiceError `store_unavailable`, `shutting_down`; StillNeeded of a purge
   */
  run(task: WriterTask): Promise<unknown> {
    if (this.stopped !== undefined) return Promise.reject(unavailable(this.stopped));
    if (this.closing !== undefined) return Promise.reject(shuttingDown());
    return new Promise((resolve, reject) => {
      this.tasks.push({ task, resolve, reject });
      this.wake();
    });
  }

  /** Refuses new submissions and waits for the earlier ones. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await this.running;
    // A thread that has died has nothing to close.
    if (this.stopped === undefined) await this.link.request({ type: 'close' }).catch(() => {});
    this.link.terminate();
  }

  private wake(): void {
    // Starts one turn later, so that all submissions of this turn share a transaction.
    this.running ??= Promise.resolve().then(() => this.work());
  }

  private async work(): Promise<void> {
    let committed: Message | undefined;
    let task_done = false;
    do {
      // Tasks may follow each other without a pause, so a waiting message goes between two of them.
      const waiting: Waiting | undefined =
        task_done && this.queue.length > 0 ? undefined : this.tasks.shift();
      task_done = waiting !== undefined;
      const running = waiting && this.runTask(waiting);
      const message = running ? undefined : this.form();
      const writing = message && this.write(message);
      // The thread works on the next order while this message is applied.
      if (committed !== undefined) await this.deliver(committed);
      committed = message && writing && (await this.settled(message, await writing));
      await running;
    } while (committed !== undefined || this.queue.length > 0 || this.tasks.length > 0);
    this.running = undefined;
  }

  private form(): Message | undefined {
    if (this.stopped !== undefined) this.fail(undefined, this.stopped);
    const submissions = takeSubmissions(this.queue, LIMITS.transaction_rows_max);
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
      const cursors = message.submissions.flatMap(({ cursor }) => cursor ?? []);
      const order: Order = { type: 'write', expected, settled_if, batch, cursors };
      const reply = await this.link.request(order, buffersOf(batch.tables));
      if (reply.type === 'written' || reply.type === 'settled' || reply.type === 'failed') return reply;
      throw new Error(`unexpected reply '${reply.type}'`);
    } catch (error) {
      this.stop(asError(error));
      return { type: 'failed', outcome: 'unknown', reason: reasonOf(error) };
    }
  }

  /** Handles the outcome of `message`, and returns it if it is to be delivered. */
  private async settled(message: Message, reply: WriteReply): Promise<Message | undefined> {
    if (reply.type === 'written') {
      this.unresolved = undefined;
      return this.stamped(message);
    }
    const former = this.unresolved;
    if (reply.type === 'settled' && former !== undefined) {
      this.unresolved = undefined;
      await this.apply(this.stamped(former).changes);
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

  private async apply(changes: readonly Change[]): Promise<void> {
    if (this.stopped !== undefined) return;
    try {
      await this.hooks.onCommitted(changes);
    } catch (error) {
      // Memory no longer matches the store.
      this.stop(asError(error));
    }
  }

  private async deliver({ submissions }: Message): Promise<void> {
    const left = [...submissions];
    while (left.length > 0) {
      const portion = takeSubmissions(left, LIMITS.applied_rows_max);
      const applied = changesOf(portion);
      if (applied.length > 0) await this.apply(applied);
      for (const { records, resolve, reject } of portion) {
        this.queued -= records;
        if (this.stopped === undefined) resolve();
        else reject(unavailable(this.stopped));
      }
      if (left.length > 0) await nextTurn();
    }
  }

  /** Refuses `message` and all queued submissions, because they may build on it. */
  private fail(message: Message | undefined, cause: Error): void {
    const refused = [...(message?.submissions ?? []), ...this.queue.splice(0)];
    this.hooks.onFailed();
    for (const { records, reject } of refused) {
      this.queued -= records;
      reject(unavailable(cause));
    }
  }

  private async runTask({ task, resolve, reject }: Waiting): Promise<void> {
    try {
      const reply = await this.link.request(task);
      if (reply.type === 'failed' && reply.outcome === 'overtaken') this.stop(new Error(reply.reason));
      if (reply.type === 'done') resolve(reply.result);
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
