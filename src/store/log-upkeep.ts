import type { Logger } from 'pino';
import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Store } from './store.ts';

type Logged = Pick<Store, 'log_bytes' | 'shrinkLog'>;

/** Checks in a row at which a log cannot be emptied before that is named. Reads of the service itself are shorter. */
const CHECKS_UNTIL_NAMED = 3;

/**
 * Empties the write-ahead logs of embedded databases when they have grown.
 *
 * They grow while any program has a transaction open that reads: SQLite overwrites a log only from its beginning, and only
 * when nobody reads it. The files would keep their size afterwards.
 */
export class LogUpkeep {
  private readonly failures = new Map<Logged, number>();
  private stopped = false;
  private cancel = (): void => {};

  /** @param stores those of the communities that exist by then */
  constructor(
    private readonly stores: () => readonly Logged[],
    private readonly timers: Timers,
    private readonly log: Pick<Logger, 'info' | 'warn'>,
  ) {
    this.later();
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  private later(): void {
    if (this.stopped) return;
    this.cancel = this.timers.after(LIMITS.database_log_check_seconds, () => {
      // A store that does not write now is tried again.
      this.check().then(
        () => this.later(),
        () => this.later(),
      );
    });
  }

  private async check(): Promise<void> {
    for (const store of this.stores()) {
      const bytes = store.log_bytes ?? 0;
      if (bytes <= LIMITS.database_log_bytes_max) continue;
      const failures = (await store.shrinkLog()) ? 0 : (this.failures.get(store) ?? 0) + 1;
      if (failures === CHECKS_UNTIL_NAMED)
        this.log.warn(
          { bytes },
          'the write-ahead log of the database grows: a program has had a transaction open that reads the database for some time; end it',
        );
      else if (failures === 0 && (this.failures.get(store) ?? 0) >= CHECKS_UNTIL_NAMED)
        this.log.info({ bytes }, 'the write-ahead log of the database was emptied');
      this.failures.set(store, failures);
    }
  }
}
