import type { Order, Reply } from './messages.ts';

/**
 * Where the writer's thread starts. From sources it is the file beside this one. In the executable every
 * module has the executable's own URL, and the second entry point lies where it lies below `src/`.
 */
function workerUrl(): URL {
  const compiled = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/');
  return new URL(compiled ? './store/writer-worker.ts' : './writer-worker.ts', import.meta.url);
}

/** The other thread as a function: one order at a time, each answered by one reply. */
export class WriterLink {
  private readonly worker = new Worker(workerUrl());
  private waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  private dead: Error | undefined;

  constructor() {
    this.worker.onmessage = (event: MessageEvent<Reply>) => {
      const { waiting } = this;
      this.waiting = undefined;
      waiting?.resolve(event.data);
    };
    this.worker.onerror = (event) => this.die(new Error(event.message));
    this.worker.addEventListener('close', () => this.die(new Error('the writer has stopped')));
  }

  private die(error: Error): void {
    this.dead ??= error;
    this.waiting?.reject(this.dead);
    this.waiting = undefined;
  }

  /**
   * Transfers the buffer of a write order, which is empty here afterwards.
   * @throws Error when the thread has died; what it was doing may or may not be stored.
   */
  ask(order: Order): Promise<Reply> {
    if (this.dead !== undefined) return Promise.reject(this.dead);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (order.type === 'write') this.worker.postMessage(order, [order.bytes.buffer]);
      else this.worker.postMessage(order);
    });
  }

  terminate(): void {
    this.dead ??= new Error('the writer is closed');
    this.worker.terminate();
  }
}
