import type { Timers } from '../clock.ts';
import { threadUrl } from '../this-program.ts';

/** The threads that handle orders, each by its file below `src/`. */
export type ThreadName = 'store/backup-worker' | 'store/reader-worker' | 'store/writer-worker';

/** Seconds between checks for a silent thread after `applyTimeout`. */
const PING_SECONDS = 0.5;

export interface Patience {
  seconds: number;
  /** Milliseconds from an arbitrary start. */
  monotonicMs(): number;
}

interface Waiting<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Sends orders to another thread, which replies to each in order. */
export class ThreadLink<Order extends object, Reply> {
  private readonly worker: Worker;
  private readonly waiting: Waiting<Reply>[] = [];
  private dead: Error | undefined;
  /** When the first entry of `waiting` became the first. */
  private first_ms = 0;
  private cancel = (): void => {};

  /** @param what name of the thread in errors */
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

  /** Whether the current order takes longer than the timeout. */
  get is_silent(): boolean {
    const { seconds = Number.POSITIVE_INFINITY } = this.patience ?? {};
    return this.waiting.length > 0 && this.now_ms - this.first_ms > seconds * 1000;
  }

  /** Applies the timeout from now on. An order that exceeds it fails, and may or may not be executed. */
  applyTimeout(timers: Timers): void {
    this.cancel();
    if (this.patience === undefined) return;
    if (this.is_silent) {
      this.die(new Error(`${this.what} has not answered for ${this.patience.seconds} s`));
      this.worker.terminate();
    } else this.cancel = timers.after(PING_SECONDS, () => this.applyTimeout(timers));
  }

  private die(error: Error): void {
    this.dead ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.dead);
  }

  /**
   * @param transferred buffers of the order, which are empty here afterwards
   * @throws Error when the thread has died; the order may or may not be executed
   */
  request(order: Order, transferred: ArrayBuffer[] = []): Promise<Reply> {
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
