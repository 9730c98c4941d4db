import type { Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import type { Store } from './store.ts';

/** Purges in the background: at once, for what an earlier process has left, and then every few hours. */
export class RegularPurge {
  private stopped = false;
  private cancel = (): void => {};

  /** @param onFailed is told of a purge that failed; the next one takes its work over */
  constructor(
    private readonly store: Pick<Store, 'purge'>,
    private readonly timers: Timers,
    private readonly onFailed: (error: Error) => void,
  ) {
    this.run();
  }

  /** No further purge; one that is under way is the store's to end. */
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
