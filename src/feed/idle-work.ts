import { monotonicMs } from '../clock.ts';

/** Time for background work in one turn of the event loop. */
const SLICE_MS = 1;

/** Runs steps of background work in short slices between requests, until there are none left. */
export class IdleWork {
  private scheduled = false;

  /** @param step does one small piece of work; false when there was nothing to do */
  constructor(private readonly step: () => boolean) {}

  /** There may be work: starts if it is not under way. */
  wake(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.slice());
  }

  private slice(): void {
    this.scheduled = false;
    const end_ms = monotonicMs() + SLICE_MS;
    while (this.step()) {
      if (monotonicMs() < end_ms) continue;
      this.wake();
      return;
    }
  }
}
