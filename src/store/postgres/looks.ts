import type { SQL } from 'bun';
import { leave, openPool } from './pool.ts';

/** Looks at the same time at most: the oldest is given up for another one. */
const LOOKS_MAX = 3;

/**
 * Asks whether the server answers, each time by a connection that has nothing else to do: those that read may all wait
 * for a lock that somebody has. One that answered is kept, one that does not is left for a new one.
 */
export class Looks {
  private idle: SQL | undefined;
  private readonly under_way: SQL[] = [];
  private closed = false;

  constructor(private readonly url: string) {}

  async look(): Promise<void> {
    if (this.closed) throw new Error('the database is closed');
    if (this.under_way.length === LOOKS_MAX) leave(this.under_way.shift());
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
