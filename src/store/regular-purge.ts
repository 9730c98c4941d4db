import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Store } from './store.ts';

/** Purges in the background: at the start, for rows of an earlier process, and then every few hours. */
export class RegularPurge {
  private stopped = false;
  private cancel = (): void => {};

  /** @param onFailed gets the error of a failed purge, whose work the next purge repeats */
  constructor(
    private readonly store: Pick<Store, 'purge'>,
    private readonly timers: Timers,
    private readonly onFailed: (error: Error) => void,
  ) {
    this.run();
  }

  /** Schedules no further purge. The store ends a purge that is running. */
  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  private async run(): Promise<void> {
    try {
      await this.store.purge();
    } catch (error) {
      if (!this.stopped) this.onFailed(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.stopped) return;
    this.cancel = this.timers.after(LIMITS.purge_every_seconds, () => {
      this.run();
    });
  }
}
