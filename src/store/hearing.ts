import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { cannotBeRead, NoAnswer, unreadable } from './refusals.ts';

/** How often a server that owes an answer is asked whether it is there. */
const LOOK_SECONDS = 2;

/** How much longer than patience a read lasts that the server has ended. */
const ENDING_SECONDS = 5;

/** A server that may fall silent. */
export interface Server {
  /** Asks for nothing but an answer, by a connection on which nothing else is waited for. */
  look(): Promise<unknown>;
  /** Whether an error came from the server, and not from the way to it. */
  isAnswer(error: unknown): boolean;
  /** Lets go of the connections that read for those who wait: from now on it is done by new ones. */
  renew(): void;
}

/**
 * Asks what somebody waits for. A server is waited for no longer than patience lasts, and silent when it has answered
 * nobody since a question that was asked so long ago, not even whether it is there: what was asked may wait for
 * somebody's lock. Until it answers, it is asked for nothing else.
 */
export class Hearing {
  private silent = false;
  private readonly waiting = new Set<(reason: Error) => void>();
  /** Set since the first question after the last answer. */
  private cancel: (() => void) | undefined;
  private cancelLook = (): void => {};
  /** Set since the first read after the last one that ended in whatever way. */
  private cancelRenewal: (() => void) | undefined;
  private ended = false;

  constructor(
    private readonly connection: Pick<Connection, 'server' | 'refusal'>,
    private readonly timers: Timers,
  ) {}

  get is_silent(): boolean {
    return this.silent;
  }

  /** For requests, and what goes on beside them. @throws ServiceError `store_unavailable` */
  read<T>(query: () => Promise<T>): Promise<T> {
    return this.ask(() => this.renewAfter(query())).catch((error) => {
      throw unreadable(error);
    });
  }

  /** For whoever starts the process. @throws StartupError `data_unreadable`, what is known of the engine's errors */
  load<T>(query: () => Promise<T>): Promise<T> {
    return this.ask(query).catch((error) => {
      throw this.connection.refusal(error) ?? cannotBeRead(error);
    });
  }

  /** @throws NoAnswer, at once while it is silent; what the query fails with */
  async ask<T>(query: () => Promise<T>): Promise<T> {
    if (this.silent) throw new NoAnswer();
    const { server } = this.connection;
    if (server === undefined) return query();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = this.timers.after(LIMITS.store_patience_seconds, () => reject(new NoAnswer()));
    this.waiting.add(reject);
    const asked = query();
    this.listen(server, asked);
    try {
      return await Promise.race([asked, late]);
    } finally {
      cancel();
      this.waiting.delete(reject);
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
    this.cancel?.();
    this.cancelLook();
    this.cancelRenewal?.();
  }

  /** The server ends every read with patience: where it has ended none, the connections are dead and do not know it. */
  private renewAfter<T>(asked: Promise<T>): Promise<T> {
    const { server } = this.connection;
    if (server === undefined || this.ended) return asked;
    const ended = () => {
      this.cancelRenewal?.();
      this.cancelRenewal = undefined;
    };
    this.cancelRenewal ??= this.timers.after(LIMITS.store_patience_seconds + ENDING_SECONDS, () => {
      ended();
      server.renew();
    });
    asked.then(ended, ended);
    return asked;
  }

  private listen(server: Server, asked: Promise<unknown>): void {
    if (this.cancel === undefined && !this.ended) {
      this.cancel = this.timers.after(LIMITS.store_patience_seconds, () => this.fallSilent());
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
    this.cancel?.();
    this.cancel = undefined;
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
