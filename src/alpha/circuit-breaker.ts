/** Failures in a row after which a service is left alone … */
const FAILURES_MAX = 5;
/** … and for how long, seconds. Then one call tries whether it is back. */
const OPEN_SECONDS = 10;

/** Keeps callers away from a service that does not work. */
export class CircuitBreaker {
  private failures = 0;
  /** Milliseconds of the clock. */
  private alone_until_ms = 0;
  private trying = false;

  constructor(private readonly monotonicMs: () => number) {}

  /** So much failed in a row that the service is left alone, tries apart. */
  get is_open(): boolean {
    return this.failures >= FAILURES_MAX;
  }

  /** Whether to call now. Whoever is told so says how it went. */
  allows(): boolean {
    if (!this.is_open) return true;
    if (this.trying || this.monotonicMs() < this.alone_until_ms) return false;
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
    this.alone_until_ms = this.monotonicMs() + OPEN_SECONDS * 1000;
  }
}
