/** Maximum batch size. While the impressions of one batch are stored, the pages of the next are built. */
const BATCH_MAX = 32;

interface Waiting {
  resolve: () => void;
  reject: (reason: unknown) => void;
  given_up: AbortSignal | undefined;
}

/**
 * Processes requests in batches that arrive in the same turn of the event loop.
 *
 * A busy service receives many requests per turn. Building their pages one after another keeps the recommender's data in
 * the processor's caches, which saves a tenth of the time. A single request is not delayed.
 */
export class RequestBatcher {
  /** Requests of earlier turns that did not fit into a batch. */
  private ready: Waiting[] = [];
  private arrived: Waiting[] = [];
  private scheduled = false;

  /** @param later runs a function after all received data has been read */
  constructor(private readonly later: (run: () => void) => void = setImmediate) {}

  /**
   * Resolves with the request's batch, in the order of the calls: in this turn of the event loop or in a later one.
   * @param given_up if aborted, rejects with its reason in the next turn and uses no place in a batch
   */
  wait(given_up?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.arrived.push({ resolve, reject, given_up });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.later(() => {
      this.scheduled = false;
      this.runBatch();
      if (this.ready.length + this.arrived.length > 0) this.schedule();
    });
  }

  private runBatch(): void {
    // Checking all signals each turn costs less than a listener per request, which takes one or two microseconds.
    this.ready = this.ready.filter(isWaiting);
    this.arrived = this.arrived.filter(isWaiting);
    if (this.ready.length === 0) {
      [this.ready, this.arrived] = [this.arrived, this.ready];
      // Disconnects become known one turn after the request, so a crowd waits for that turn.
      if (this.ready.length > BATCH_MAX) return;
    }
    for (const { resolve } of this.ready.splice(0, BATCH_MAX)) resolve();
  }
}

/** Whether a request is still waiting. Rejects it if its client has disconnected. */
function isWaiting({ given_up, reject }: Waiting): boolean {
  if (!given_up?.aborted) return true;
  reject(given_up.reason);
  return false;
}
