import { monotonicMs as machineMs, type Timers } from '../clock.ts';
import { LIMITS } from '../limits.ts';

/** The threads beside the serving one, each a file of this room. */
export type ThreadName = 'reader-worker' | 'writer-worker';

/**
 * Where a thread starts. From sources it is the file beside this one. In the executable every
 * module has the executable's own URL, and each further entry point lies where it lies below `src/`.
 */
function threadUrl(name: ThreadName): URL {
  const compiled = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/');
  return new URL(compiled ? `./store/${name}.ts` : `./${name}.ts`, import.meta.url);
}

/** How often somebody who hurries looks whether a thread has fallen silent. */
const LOOK_SECONDS = 0.5;

interface Waiting<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Another thread as a function: it answers each order by one reply, in their order. */
export class ThreadLink<Order extends object, Reply> {
  private readonly worker: Worker;
  private readonly waiting: Waiting<Reply>[] = [];
  private dead: Error | undefined;
  /** Since when the first of `waiting` is the first. */
  private first_ms = 0;
  private cancel = (): void => {};

  /** @param what as whoever waits in vain is told */
  constructor(
    name: ThreadName,
    private readonly what: string,
    private readonly monotonicMs: () => number = machineMs,
  ) {
    this.worker = new Worker(threadUrl(name));
    this.worker.onmessage = (event: MessageEvent<Reply>) => {
      this.first_ms = this.monotonicMs();
      this.waiting.shift()?.resolve(event.data);
    };
    this.worker.onerror = (event) => this.die(new Error(event.message));
    this.worker.addEventListener('close', () => this.die(new Error(`${what} has stopped`)));
  }

  /** The thread has been at one order for longer than any takes: nobody knows when it will answer. */
  get is_silent(): boolean {
    return (
      this.waiting.length > 0 && this.monotonicMs() - this.first_ms > LIMITS.store_patience_seconds * 1000
    );
  }

  /** From now on it is waited for no longer than that: what it is doing then may or may not be done. */
  hurry(timers: Timers): void {
    this.cancel();
    if (this.is_silent) {
      this.die(new Error(`${this.what} has not answered for ${LIMITS.store_patience_seconds} s`));
      this.worker.terminate();
    } else this.cancel = timers.after(LOOK_SECONDS, () => this.hurry(timers));
  }

  private die(error: Error): void {
    this.dead ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.dead);
  }

  /**
   * @param transferred buffers of the order, which are empty here afterwards
   * @throws Error when the thread has died; what it was doing may or may not be done.
   */
  ask(order: Order, transferred: ArrayBuffer[] = []): Promise<Reply> {
    if (this.dead !== undefined) return Promise.reject(this.dead);
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) this.first_ms = this.monotonicMs();
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(order, transferred);
    });
  }

  terminate(): void {
    this.cancel();
    this.dead ??= new Error('the thread is closed');
    this.worker.terminate();
  }
}
