/** Maximum time that a pause between two checks counts, in usual pauses. In a longer one the process was stopped. */
const TICKS_MAX = 2;

/**
 * Measures how long a thread has not increased its counter of beats.
 *
 * While the whole process is stopped (SIGSTOP, a suspended machine, a host without processor time), the thread that
 * checks the counter is stopped as well. So a long pause between two checks does not show that the other thread hangs.
 */
export class Silence {
  silent_ms = 0;
  private beats: number | undefined;

  constructor(private readonly tick_ms: number) {}

  /**
   * Checks the counter.
   * @param beats undefined if the thread may be busy for any time now
   * @param since_ms time since the last check
   */
  check(beats: number | undefined, since_ms: number): void {
    const is_silent = beats !== undefined && beats === this.beats;
    this.silent_ms = is_silent ? this.silent_ms + Math.min(since_ms, TICKS_MAX * this.tick_ms) : 0;
    this.beats = beats;
  }
}
