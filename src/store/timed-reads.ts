import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { perReadPool, type ReadPoolName, ReadQueue } from './read-queue.ts';
import type { Reading } from './reading.ts';
import { cannotBeRead, NoAnswer, unreadable } from './refusals.ts';
import type { Server } from './server.ts';

/** Queries by name: functions of a connection and further arguments. */
type Queries = Readonly<Record<string, (reading: Reading, ...args: never[]) => Promise<unknown>>>;

/** The same as reads: functions of the further arguments. `given_up` cancels a read. */
export type Reads<Q extends Queries> = {
  [Name in keyof Q]: Q[Name] extends (reading: Reading, ...args: infer Args) => Promise<infer T>
    ? (...args: [...Args, given_up?: AbortSignal]) => Promise<T>
    : never;
};

/** @param is_empty whether the call asks for nothing, which must not count as an answer of the server */
type Run = (
  query: (reading: Reading) => Promise<unknown>,
  given_up: AbortSignal | undefined,
  is_empty: boolean,
) => Promise<unknown>;

/** Makes reads of queries. @param run runs the query of each call */
export function readsBy<Q extends Queries>(run: Run, queries: Q): Reads<Q> {
  const read =
    (query: Queries[string]) =>
    (...args: unknown[]) => {
      const last = args.at(-1);
      const given_up = last instanceof AbortSignal ? last : undefined;
      const given = (given_up === undefined ? args : args.slice(0, -1)) as never[];
      const is_empty = Array.isArray(args[0]) && args[0].length === 0;
      return run((reading) => query(reading, ...given), given_up, is_empty);
    };
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, read(query)])) as Reads<Q>;
}

/** Seconds between pings of a server that owes an answer. */
export const PING_SECONDS = 2;

/**
 * Runs reads with a timeout and detects a silent server.
 *
 * A server is silent if it answered nothing, not even a ping, during a whole timeout in which an answer was due. A
 * single late query does not count, because it may wait for a lock. While the server is silent, other reads fail at
 * once.
 */
export class TimedReads {
  private silent = false;
  private readonly waiting = new Set<(reason: unknown) => void>();
  /** Set from the first question after the last answer. */
  private cancelSilence: (() => void) | undefined;
  private cancelPing = (): void => {};
  private ended = false;
  /** Absent for SQLite, whose reads do not need a timeout. */
  private readonly queues: Record<ReadPoolName, ReadQueue> | undefined;

  constructor(
    private readonly connection: Pick<Connection, 'server' | 'refusal' | keyof Reading>,
    private readonly timers: Timers,
  ) {
    const { server } = connection;
    this.queues = server && perReadPool((pool) => new ReadQueue(server.pools[pool], timers));
  }

  get is_silent(): boolean {
    return this.silent;
  }

  /**
   * Reads for a request or for background work of the service.
   * @param query reads through its argument, one statement after another; not called if the timeout ends before its
   * turn
   * @param given_up cancels the read
   * @throws ServiceError `store_unavailable`; the reason of `given_up`, at once if there is a server
   */
  read<T>(pool: ReadPoolName, query: (reading: Reading) => Promise<T>, given_up?: AbortSignal): Promise<T> {
    const { queues, connection } = this;
    const asked = this.request(
      (unwanted) => queues?.[pool].read(query, unwanted) ?? query(connection),
      given_up,
    );
    return asked.catch((error) => {
      throw given_up?.aborted ? given_up.reason : unreadable(error);
    });
  }

  /** Makes reads of queries, see `read`. */
  reads<Q extends Queries>(pool: ReadPoolName, queries: Q): Reads<Q> {
    return readsBy(
      (query, given_up, is_empty) => (is_empty ? query(this.connection) : this.read(pool, query, given_up)),
      queries,
    );
  }

  /** As `reads`, for the start, see `load`. */
  loads<Q extends Queries>(queries: Q): Reads<Q> {
    return readsBy((query) => this.load(() => query(this.connection)), queries);
  }

  /** Reads while the process starts. @throws StartupError `data_unreadable`, known errors of the engine */
  load<T>(query: () => Promise<T>): Promise<T> {
    return this.request(query).catch((error) => {
      throw this.connection.refusal(error) ?? cannotBeRead(error);
    });
  }

  /**
   * Runs a query with the timeout.
   * @param query gets a signal that aborts when its result is no longer needed
   * @throws NoAnswer, at once while the server is silent; the error of the query; the reason of `given_up`
   */
  async request<T>(query: (unwanted: AbortSignal) => Promise<T>, given_up?: AbortSignal): Promise<T> {
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

  /** Pings the server, so that silence is detected without other reads. */
  ping(): void {
    const { server } = this.connection;
    if (server !== undefined && !this.ended) this.listen(server, server.ping());
  }

  end(): void {
    this.ended = true;
    this.cancelSilence?.();
    this.cancelPing();
    for (const queue of Object.values(this.queues ?? {})) queue.end();
  }

  private listen(server: Server, asked: Promise<unknown>): void {
    if (this.cancelSilence === undefined && !this.ended) {
      this.cancelSilence = this.timers.after(LIMITS.store_patience_seconds, () => this.fallSilent());
      this.pingLater();
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
    this.cancelPing();
  }

  private fallSilent(): void {
    this.silent = true;
    for (const reject of this.waiting) reject(new NoAnswer());
  }

  /** Repeats until the server answers. */
  private pingLater(): void {
    this.cancelPing = this.timers.after(PING_SECONDS, () => {
      this.pingLater();
      this.ping();
    });
  }
}
