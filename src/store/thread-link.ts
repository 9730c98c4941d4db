import type { Timers } from '../clock.ts';
import { threadUrl } from '../this-program.ts';

/** The threads that answer orders, each by its file below `src/`. */
export type ThreadName = 'store/backup-worker' | 'store/reader-worker' | 'store/writer-worker';

/** How often somebody who hurries looks whether a thread has fallen silent. */
const LOOK_SECONDS = 0.5;

/** How long an order may take, by what clock. */
export interface Patience {
  seconds: number;
  /** From an arbitrary start. */
  monotonicMs(): number;
}

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

  /**
   * @param what as whoever waits in vain is told
   * @param patience of those who wait for it; absent: it always answers, as it waits for nobody itself
   */
  constructor(
    name: ThreadName,
    private readonly what: string,
    private readonly patience?: Patience,
  ) {
    this.worker = new Worker(threadUrl(name));
    this.worker.onmessage = (event: MessageEvent<Reply>) => {
      this.first_ms = this.now_ms;
      this.waiting.shift()?.resolve(event.data);
    };
    this.worker.onerror = (event) => this.die(new Error(event.message));
    this.worker.addEventListener('close', () => this.die(new Error(`${what} has stopped`)));
  }

  private get now_ms(): number {
    return this.patience?.monotonicMs() ?? 0;
  }

  /** The thread has been at one order for longer than any takes: nobody knows when it will answer. */
  get is_silent(): boolean {
    const { seconds = Number.POSITIVE_INFINITY } = this.patience ?? {};
    return this.waiting.length > 0 && this.now_ms - this.first_ms > seconds * 1000;
  }

  /** From now on it is waited for no longer than that: what it is doing then may or may not be done. */
  hurry(timers: Timers): void {
    this.cancel();
    if (this.patience === undefined) return;
    if (this.is_silent) {
      this.die(new Error(`${this.what} has not answered for ${this.patience.seconds} s`));
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
      if (this.waiting.length === 0) this.first_ms = this.now_ms;
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
