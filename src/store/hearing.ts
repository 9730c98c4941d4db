import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { byLane, type ReadLane, ReadQueue } from './read-queue.ts';
import type { Reading } from './reading.ts';
import { cannotBeRead, NoAnswer, unreadable } from './refusals.ts';
import type { Server } from './server.ts';

/** How often a server that owes an answer is asked whether it is there. */
const LOOK_SECONDS = 2;

/**
 * Asks what somebody waits for. A server is waited for no longer than patience lasts, and silent when it has answered
 * nobody since a question that was asked so long ago, not even whether it is there: what was asked may wait for
 * somebody's lock. Until it answers, it is asked for nothing else.
 */
export class Hearing {
  private silent = false;
  private readonly waiting = new Set<(reason: unknown) => void>();
  /** Set since the first question after the last answer. */
  private cancelSilence: (() => void) | undefined;
  private cancelLook = (): void => {};
  private ended = false;
  /** Absent where nothing is to be waited for. */
  private readonly queues: Record<ReadLane, ReadQueue> | undefined;

  constructor(
    private readonly connection: Pick<Connection, 'server' | 'refusal' | keyof Reading>,
    private readonly timers: Timers,
  ) {
    const { server } = connection;
    this.queues = server && byLane((lane) => new ReadQueue(server.pools[lane], timers));
  }

  get is_silent(): boolean {
    return this.silent;
  }

  /**
   * For requests, and what goes on beside them.
   * @param query reads by what it is given, one statement after another; never asked when patience has ended before its turn
   * @param given_up the same when it is aborted
   * @throws ServiceError `store_unavailable`; the reason of `given_up`, at once where there is a server to be waited for
   */
  read<T>(lane: ReadLane, query: (reading: Reading) => Promise<T>, given_up?: AbortSignal): Promise<T> {
    const { queues, connection } = this;
    const asked = this.ask((unwanted) => queues?.[lane].read(query, unwanted) ?? query(connection), given_up);
    return asked.catch((error) => {
      throw given_up?.aborted ? given_up.reason : unreadable(error);
    });
  }

  /** For whoever starts the process. @throws StartupError `data_unreadable`, what is known of the engine's errors */
  load<T>(query: () => Promise<T>): Promise<T> {
    return this.ask(query).catch((error) => {
      throw this.connection.refusal(error) ?? cannotBeRead(error);
    });
  }

  /**
   * @param query told by a signal when it is not waited for any more
   * @param given_up aborted when whoever asked does not wait any more
   * @throws NoAnswer, at once while it is silent; what the query fails with; the reason of `given_up`
   */
  async ask<T>(query: (unwanted: AbortSignal) => Promise<T>, given_up?: AbortSignal): Promise<T> {
    given_up?.throwIfAborted();
    if (this.silent) throw new NoAnswer();
    const asker = new AbortController();
    const { server } = this.connection;
    if (server === undefined) return query(asker.signal);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancelLate = this.timers.after(LIMITS.store_patience_seconds, () => reject(new NoAnswer()));
    this.waiting.add(reject);
    const giveUp = () => reject(given_up?.reason);
    given_up?.addEventListener('abort', giveUp, { once: true });
    const asked = query(asker.signal);
    this.listen(server, asked);
    try {
      return await Promise.race([asked, late]);
    } finally {
      cancelLate();
      this.waiting.delete(reject);
      given_up?.removeEventListener('abort', giveUp);
      asker.abort();
    }
  }

  /** Finds out whether it is silent, although nobody asks for anything. */
  look(): void {
    const { server } = this.connection;
    if (server !== undefined && !this.ended) this.listen(server, server.look());
  }

  /** Nothing is asked any more. */
  end(): void {
    this.ended = true;
    this.cancelSilence?.();
    this.cancelLook();
    for (const queue of Object.values(this.queues ?? {})) queue.end();
  }

  private listen(server: Server, asked: Promise<unknown>): void {
    if (this.cancelSilence === undefined && !this.ended) {
      this.cancelSilence = this.timers.after(LIMITS.store_patience_seconds, () => this.fallSilent());
      this.lookLater();
    }
    asked.then(
      () => this.answered(),
      (error) => {
        if (server.isAnswer(error)) this.answered();
      },
    );
  }

  private answered(): void {
    this.silent = false;
    this.cancelSilence?.();
    this.cancelSilence = undefined;
    this.cancelLook();
  }

  private fallSilent(): void {
    this.silent = true;
    for (const reject of this.waiting) reject(new NoAnswer());
  }

  /** Again and again, until it answers. */
  private lookLater(): void {
    this.cancelLook = this.timers.after(LOOK_SECONDS, () => {
      this.lookLater();
      this.look();
    });
  }
}
