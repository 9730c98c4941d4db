import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Reading } from './reading.ts';

/**
 * The connection pools for reads with a timeout.
 *
 * These are contents of items and of users for requests, what viewers have seen, and the service's own tables. Separate pools keep one kind of
 * read from delaying another.
 */
export type ReadPoolName = 'items' | 'users' | 'seen' | 'service';

/** A pool of connections whose reads the server cancels after the timeout. */
export interface ReadPool {
  readonly connections_max: number;
  /** Reads through the pool. Get it anew for each read, because connections are replaced. */
  readonly reading: Reading;
  /** Abandons all connections with their open reads. Later reads use new connections. */
  renew(): void;
}

/** Seconds after the timeout in which a cancelled read must end. */
const ENDING_SECONDS = 5;

/**
 * A queue in front of a pool, in order of arrival.
 *
 * A pool executes every query that it got, even if its caller gave up. Therefore it gets at most one query per
 * connection, and cancelled reads leave the queue.
 */
export class ReadQueue {
  private readonly waiting = new Set<() => void>();
  private under_way = 0;
  /** Set from the first read after the last one that ended. */
  private cancelRenewal: (() => void) | undefined;
  private ended = false;

  constructor(
    private readonly pool: ReadPool,
    private readonly timers: Timers,
  ) {}

  /** Ends as the query does. Never ends if it was given up before it was sent. */
  read<T>(query: (reading: Reading) => Promise<T>, given_up: AbortSignal): Promise<T> {
    return new Promise((resolve) => {
      const send = () => resolve(this.send(query));
      this.waiting.add(send);
      given_up.addEventListener('abort', () => this.waiting.delete(send), { once: true });
      this.sendNext();
    });
  }

  end(): void {
    this.ended = true;
    this.expectNoEnd();
  }

  private sendNext(): void {
    for (const send of this.waiting) {
      if (this.under_way === this.pool.connections_max) return;
      this.waiting.delete(send);
      send();
    }
  }

  private async send<T>(query: (reading: Reading) => Promise<T>): Promise<T> {
    this.under_way++;
    this.expectEnd();
    try {
      return await query(this.pool.reading);
    } finally {
      this.under_way--;
      this.expectNoEnd();
      this.sendNext();
    }
  }

  /** The server cancels every read after the timeout. If no read ended by then, the connections are dead. */
  private expectEnd(): void {
    if (this.ended) return;
    this.cancelRenewal ??= this.timers.after(LIMITS.store_patience_seconds + ENDING_SECONDS, () => {
      this.cancelRenewal = undefined;
      this.pool.renew();
    });
  }

  private expectNoEnd(): void {
    this.cancelRenewal?.();
    this.cancelRenewal = undefined;
  }
}

/** Makes one value per pool. */
export function perReadPool<T>(make: (pool: ReadPoolName) => T): Record<ReadPoolName, T> {
  return { items: make('items'), users: make('users'), seen: make('seen'), service: make('service') };
}
