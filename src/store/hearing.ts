import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { cannotBeRead, NoAnswer, unreadable } from './refusals.ts';

/** How often a silent server is asked whether it is there, and by how many questions at the same time at most. */
const LOOK_SECONDS = 2;
const LOOKS_MAX = 3;

/** A server that may fall silent. */
export interface Server {
  /** Asks for nothing but an answer. */
  look(): Promise<unknown>;
  /** Whether an error came from the server, and not from the way to it. */
  isAnswer(error: unknown): boolean;
}

/**
 * Asks what somebody waits for. A server is waited for no longer than patience lasts, and silent when it has answered
 * nothing since a question that was asked so long ago. Until it does, it is asked for nothing but an answer.
 */
export class Hearing {
  private silent = false;
  private readonly waiting = new Set<(reason: Error) => void>();
  /** Set since the first question after the last answer. */
  private cancel: (() => void) | undefined;
  private looks = 0;
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
    return this.ask(query).catch((error) => {
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
  ask<T>(query: () => Promise<T>): Promise<T> {
    return this.silent ? Promise.reject(new NoAnswer()) : this.askAnyway(query);
  }

  /** The same, also while it is silent. */
  private async askAnyway<T>(query: () => Promise<T>): Promise<T> {
    const { server } = this.connection;
    if (server === undefined) return query();
    const { promise: late, reject } = Promise.withResolvers<never>();
    this.cancel ??= this.timers.after(LIMITS.store_patience_seconds, () => this.fallSilent());
    const cancel = this.timers.after(LIMITS.store_patience_seconds, () => reject(new NoAnswer()));
    this.waiting.add(reject);
    const asked = query();
    asked.then(
      () => this.answered(),
      (error) => {
        if (server.isAnswer(error)) this.answered();
      },
    );
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
    if (server === undefined || this.looks === LOOKS_MAX) return;
    this.looks++;
    const looking = server.look().finally(() => this.looks--);
    this.askAnyway(() => looking).catch(() => {});
  }

  /** Nothing is asked any more. */
  end(): void {
    this.ended = true;
    this.cancel?.();
  }

  private answered(): void {
    this.silent = false;
    this.cancel?.();
    this.cancel = undefined;
  }

  private fallSilent(): void {
    this.silent = true;
    for (const reject of this.waiting) reject(new NoAnswer());
    this.lookAgain();
  }

  private lookAgain(): void {
    if (!this.silent || this.ended) return;
    this.look();
    this.timers.after(LOOK_SECONDS, () => this.lookAgain());
  }
}
