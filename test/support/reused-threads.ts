/** Threads of closed services serve the next ones, since a thread takes more CPU time to start than all else to open. */

const StartedWorker = Worker;

/** Idle threads of each file. More than a few services are rarely open at once. */
const idle = new Map<string, Worker[]>();
const IDLE_MAX = 4;

/** A thread that is kept when its last order was to close, and done. */
class ReusedWorker {
  onmessage?: (event: MessageEvent) => void;
  onerror?: (event: ErrorEvent) => void;
  private readonly thread: Worker;
  private readonly ends: (() => void)[] = [];
  private last_order = '';
  private is_closed = false;

  constructor(private readonly url: URL) {
    this.thread = idle.get(url.href)?.pop() ?? new StartedWorker(url);
    this.thread.ref();
    this.thread.onmessage = (event) => {
      this.is_closed = this.last_order === 'close' && event.data.type === 'done';
      // Outside of the thread's event: code that follows and blocks until the next service opens gets its events, too.
      if (this.is_closed) setImmediate(() => this.onmessage?.(event));
      else this.onmessage?.(event);
    };
    this.thread.onerror = (event) => this.onerror?.(event);
  }

  addEventListener(type: 'close', listener: () => void): void {
    this.thread.addEventListener(type, listener);
    this.ends.push(() => this.thread.removeEventListener(type, listener));
  }

  postMessage(order: { type: string }, transferred: ArrayBuffer[]): void {
    this.last_order = order.type;
    this.is_closed = false;
    this.thread.postMessage(order, transferred);
  }

  terminate(): void {
    const others = idle.get(this.url.href) ?? [];
    if (!this.is_closed || others.length === IDLE_MAX) {
      this.thread.terminate();
      return;
    }
    this.is_closed = false;
    for (const end of this.ends) end();
    this.thread.onmessage = null;
    this.thread.onerror = null;
    this.thread.unref();
    idle.set(this.url.href, [...others, this.thread]);
  }
}

/** Applies to the threads that start from now on. */
export function reuseThreads(): void {
  globalThis.Worker = ReusedWorker as unknown as typeof Worker;
}
