import { LIMITS } from '../limits.ts';
import { Turns } from '../turns.ts';

/** Stand for an account where the service itself, or a caller without a key, writes. No account has such a name. */
export const THE_SERVICE = '\nthe service';
export const WITHOUT_KEY = '\nwithout a key';

/**
 * The turns of accounts at the write queue.
 *
 * The queue keeps its order, because changes build on earlier ones. Therefore records wait in front of it while their
 * account has its share of rows in it. So no account delays the writes of others by more than its share.
 */
export class WriteTurns {
  private readonly own = new Turns('writes of this account', Number.POSITIVE_INFINITY);
  private readonly common = new Turns('writes', Number.POSITIVE_INFINITY);
  private readonly queued = new Map<string, number>();
  /** Continues the account that waits for room. Only the one with its own turn can. */
  private readonly waiting = new Map<string, () => void>();

  /** Runs `queue` when everything earlier of the account is queued and there is room for more of it. */
  take<T>(account: string, queue: () => Promise<T>): Promise<T> {
    return this.own.take(account, async () => {
      while ((this.queued.get(account) ?? 0) >= LIMITS.account_queued_rows)
        await new Promise<void>((resolve) => this.waiting.set(account, resolve));
      return queue();
    });
  }

  /** Runs a task alone. Accounts take turns if it is within `take`, because each has one task at a time then. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.common.take('all', task);
  }

  /** Counts rows of an account until they are durable, or were refused. */
  async counted(account: string, rows: number, durable: Promise<void>): Promise<void> {
    this.add(account, rows);
    try {
      await durable;
    } finally {
      this.add(account, -rows);
      this.waiting.get(account)?.();
      this.waiting.delete(account);
    }
  }

  private add(account: string, rows: number): void {
    const queued = (this.queued.get(account) ?? 0) + rows;
    if (queued > 0) this.queued.set(account, queued);
    else this.queued.delete(account);
  }
}
