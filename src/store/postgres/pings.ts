import type { SQL } from 'bun';
import { leave, openPool } from './pool.ts';

/** Concurrent pings. A further one replaces the oldest. */
const PINGS_MAX = 3;

/**
 * Pings the server, each time through an otherwise idle connection.
 *
 * The connections for reads may all wait for one lock. A connection that answered is kept, and one that did not is
 * abandoned for a new one.
 */
export class Pings {
  private idle: SQL | undefined;
  private readonly under_way: SQL[] = [];
  private closed = false;

  constructor(private readonly url: string) {}

  async ping(): Promise<void> {
    if (this.closed) throw new Error('the database is closed');
    if (this.under_way.length === PINGS_MAX) leave(this.under_way.shift());
    const pool = this.idle ?? openPool(this.url, 1);
    this.idle = undefined;
    this.under_way.push(pool);
    try {
      await pool.unsafe('select 1');
      if (this.idle === undefined && this.under_way.includes(pool)) this.idle = pool;
    } finally {
      this.end(pool);
    }
  }

  private end(pool: SQL): void {
    const at = this.under_way.indexOf(pool);
    if (at >= 0) this.under_way.splice(at, 1);
    if (this.idle !== pool) leave(pool);
  }

  close(): void {
    this.closed = true;
    for (const pool of [...this.under_way.splice(0), this.idle]) leave(pool);
    this.idle = undefined;
  }
}
