/** A longer pause between two looks at a thread counts as so many usual ones: the process itself was stopped. */
const TICKS_MAX = 2;

/**
 * How long a thread has not come back, by its beats and the pauses between looks at them.
 *
 * While the whole process is stopped (SIGSTOP, a suspended machine, a host without processor time), the thread that
 * looks is stopped as well. So a long pause says nothing of the other thread.
 */
export class Silence {
  silent_ms = 0;
  private beats: number | undefined;

  constructor(private readonly tick_ms: number) {}

  /**
   * @param beats undefined if the thread need not come back now
   * @param since_ms time since the last look
   */
  look(beats: number | undefined, since_ms: number): void {
    const is_silent = beats !== undefined && beats === this.beats;
    this.silent_ms = is_silent ? this.silent_ms + Math.min(since_ms, TICKS_MAX * this.tick_ms) : 0;
    this.beats = beats;
  }
}
