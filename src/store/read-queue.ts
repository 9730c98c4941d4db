import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Reading } from './reading.ts';

/**
 * What is read while somebody waits for it: contents of a table, for requests, and what the service itself goes by. Each has
 * connections of its own, so that none waits for another.
 */
export type ReadLane = 'items' | 'users' | 'service';

/** Connections of which the server ends every read with patience. */
export interface ReadPool {
  /** How many there are, and so how many reads can be under way. */
  readonly connections_max: number;
  /** By them; to be asked for each time, as they change. */
  readonly reading: Reading;
  /** Lets go of them, with all that is under way: from now on it is done by new ones. */
  renew(): void;
}

/** How much longer than patience a read lasts that the server has ended. */
const ENDING_SECONDS = 5;

/**
 * The line before a pool, in order of asking. A pool executes what it was given, whether or not anybody waits for it still. So it
 * is given no more than it has connections for, and what is given up leaves the line, which holds those who wait and nobody else.
 */
export class ReadQueue {
  private readonly waiting = new Set<() => void>();
  private under_way = 0;
  /** Set since the first read after the last one that ended in whatever way. */
  private cancelRenewal: (() => void) | undefined;
  private ended = false;

  constructor(
    private readonly pool: ReadPool,
    private readonly timers: Timers,
  ) {}

  /**
   * Ends as the query does; not at all when it was given up before it was sent.
   * @param given_up aborted when nobody waits any more
   */
  read<T>(query: (reading: Reading) => Promise<T>, given_up: AbortSignal): Promise<T> {
    return new Promise((resolve) => {
      const send = () => resolve(this.send(query));
      this.waiting.add(send);
      given_up.addEventListener('abort', () => this.waiting.delete(send), { once: true });
      this.sendNext();
    });
  }

  /** What is asked from now on is not looked after. */
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

  /** The server ends every read with patience: where it has ended none, the connections are dead and do not know it. */
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

/** One for each lane. */
export function byLane<T>(make: (lane: ReadLane) => T): Record<ReadLane, T> {
  return { items: make('items'), users: make('users'), service: make('service') };
}
