import type { TextOrder } from '../feed/elsewhere.ts';
import type { JsonText } from '../feed/json-bytes.ts';
import type { FeedsNews } from '../feed/saved-feed.ts';
import type { Effort } from '../plugin/index.ts';
import { MirrorSource } from '../state/mirror.ts';
import type { BatchReply, Beginning, Order } from './messages.ts';

/** As of the store's threads (`store/thread-link.ts`): beside this file, or where that lies in the executable. */
function workerUrl(): URL {
  const compiled = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/');
  return new URL(compiled ? './threads/page-worker.ts' : './page-worker.ts', import.meta.url);
}

/** A page that waits to be built, and how it ends; each is called at most once. */
export interface Job {
  order: TextOrder;
  here(): void;
  built(text: JsonText, seen: readonly number[]): void;
}

export interface ThreadHooks {
  /** It has done what it was asked for, up to the pages that are left. */
  onDone(thread: PageThread, reply: BatchReply, left: Job[]): void;
  /** It will do nothing any more; what was under way has been built here. */
  onDead(thread: PageThread, reason: Error): void;
}

/** The serving thread's side of one page thread. */
export class PageThread {
  private readonly worker: Worker;
  private readonly source: MirrorSource;
  private under_way: Job[] | undefined;
  private news: FeedsNews[] = [];
  private dead = false;
  private readonly change_waits = new Int32Array(new SharedArrayBuffer(4));

  /** @param shared what it reads, as of `sharedOf` */
  constructor(
    shared: readonly object[],
    beginning: Omit<Beginning, 'type' | 'change_waits'>,
    private readonly hooks: ThreadHooks,
  ) {
    this.source = new MirrorSource(shared);
    this.worker = new Worker(workerUrl());
    this.worker.onmessage = ({ data }: MessageEvent<BatchReply>) => this.done(data);
    this.worker.onerror = ({ message }) => this.die(new Error(message));
    this.worker.addEventListener('close', () => this.die(new Error('it has stopped')));
    this.tell({ type: 'begin', ...beginning, change_waits: this.change_waits });
  }

  /** It reads: nothing may change. */
  get reading(): boolean {
    return this.under_way !== undefined;
  }

  /** Pages under way. */
  get pages(): number {
    return this.under_way?.length ?? 0;
  }

  /** Something happened to saved feeds: it hears of it with the next pages. */
  note(news: FeedsNews): void {
    this.news.push(news);
  }

  /** A change waits: it begins no further page of those that are under way. */
  hurry(): void {
    Atomics.store(this.change_waits, 0, 1);
  }

  /** Has pages built; it must not be reading. */
  build(jobs: Job[], now: number, effort: Effort, work_ms: number): void {
    this.under_way = jobs;
    Atomics.store(this.change_waits, 0, 0);
    const { news } = this;
    this.news = [];
    const pages = jobs.map(({ order }) => order);
    this.tell({ type: 'batch', publication: this.source.publish(), news, now, effort, pages, work_ms });
  }

  stop(): void {
    this.dead = true;
    this.worker.terminate();
    this.giveBack();
  }

  private tell(order: Order): void {
    this.worker.postMessage(order);
  }

  private done(reply: BatchReply): void {
    const jobs = this.under_way ?? [];
    this.under_way = undefined;
    let at = 0;
    for (const [index, page] of reply.pages.entries()) {
      const job = jobs[index];
      if (page === null) {
        job.here();
        continue;
      }
      job.built(reply.text.subarray(at, at + page.length), page.seen);
      at += page.length;
    }
    this.hooks.onDone(this, reply, jobs.slice(reply.pages.length));
  }

  private die(reason: Error): void {
    if (this.dead) return;
    this.dead = true;
    this.worker.terminate();
    this.giveBack();
    this.hooks.onDead(this, reason);
  }

  private giveBack(): void {
    const jobs = this.under_way ?? [];
    this.under_way = undefined;
    for (const { here } of jobs) here();
  }
}
