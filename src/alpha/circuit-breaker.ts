const FAILURES_MAX = 5;
const OPEN_SECONDS = 10;

/** Stops calls to a service that fails repeatedly. */
export class CircuitBreaker {
  private failures = 0;
  /** The time of the next trial call, in milliseconds of the clock. */
  private open_until_ms = 0;
  private trying = false;

  constructor(private readonly monotonicMs: () => number) {}

  /** Whether calls are stopped, except for trial calls. */
  get is_open(): boolean {
    return this.failures >= FAILURES_MAX;
  }

  /** Whether a call may be made now. The caller must report the result of the call. */
  allows(): boolean {
    if (!this.is_open) return true;
    if (this.trying || this.monotonicMs() < this.open_until_ms) return false;
    this.trying = true;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
    this.trying = false;
  }

  failed(): void {
    this.failures++;
    this.trying = false;
    this.open_until_ms = this.monotonicMs() + OPEN_SECONDS * 1000;
  }
}
