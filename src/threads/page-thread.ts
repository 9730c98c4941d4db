import type { TextOrder } from '../feed/elsewhere.ts';
import { JsonText } from '../feed/json-bytes.ts';
import type { FeedsNews } from '../feed/saved-feed.ts';
import type { Effort } from '../plugin/index.ts';
import type { MirrorSource } from '../state/mirror.ts';
import { threadUrl } from '../this-program.ts';
import { type BatchReply, type Beginning, NOT_BUILT, type Order } from './messages.ts';

/** A page that waits to be built, and how it ends; each is called at most once. */
export interface Job {
  order: TextOrder;
  here(): void;
  /** @param seen keys */
  built(text: JsonText, seen: Uint32Array<ArrayBuffer>): void;
}

export interface ThreadHooks {
  /** It has done what it was asked for, up to the pages that are left. */
  onDone(reply: BatchReply, left: Job[]): void;
  /** It will do nothing any more; what was under way has been built here. */
  onDead(thread: PageThread, reason: Error): void;
}

/** The serving thread's side of one page thread. */
export class PageThread {
  private readonly worker: Worker;
  /** Batches under way, in order. */
  private readonly batches: Job[][] = [];
  private news: FeedsNews[] = [];
  private dead = false;
  /** Of `source`, what the thread has been told of. */
  private places_version = 0;
  /** Pages under way. */
  pages = 0;

  /** @param source of what it reads */
  constructor(
    beginning: Omit<Beginning, 'type' | 'memory'>,
    private readonly source: MirrorSource,
    private readonly hooks: ThreadHooks,
  ) {
    this.worker = new Worker(threadUrl('threads/page-worker'));
    this.worker.onmessage = ({ data }: MessageEvent<BatchReply>) => this.done(data);
    this.worker.onerror = ({ message }) => this.die(new Error(message));
    this.worker.addEventListener('close', () => this.die(new Error('it has stopped')));
    this.tell({ type: 'begin', ...beginning, memory: source.memory });
  }

  /** It has something to do, for which it reads now and then. */
  get reading(): boolean {
    return this.batches.length > 0;
  }

  /** Something happened to saved feeds: it hears of it with the next pages. */
  note(news: FeedsNews): void {
    this.news.push(news);
  }

  /** Has pages built, after those that are under way. */
  build(jobs: Job[], now: number, effort: Effort, work_ms: number): void {
    this.batches.push(jobs);
    this.pages += jobs.length;
    const { news } = this;
    this.news = [];
    const places = this.source.movedSince(this.places_version);
    this.places_version = places.version;
    const pages = JSON.stringify(jobs.map(({ order }) => order));
    this.tell({ type: 'batch', places, news, now, effort, pages, work_ms });
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
    // What it was at has been built here.
    if (this.dead) return;
    const jobs = this.batches.shift() ?? [];
    this.pages -= jobs.length;
    const { text, pages, seen } = reply;
    const begun = pages.length / 2;
    let text_at = 0;
    let seen_at = 0;
    for (let index = 0; index < begun; index++) {
      const job = jobs[index];
      const [length, items] = [pages[2 * index], pages[2 * index + 1]];
      if (length === NOT_BUILT) {
        job.here();
        continue;
      }
      job.built(new JsonText(text.subarray(text_at, text_at + length)), seen.slice(seen_at, seen_at + items));
      text_at += length;
      seen_at += items;
    }
    this.hooks.onDone(reply, jobs.slice(begun));
  }

  private die(reason: Error): void {
    if (this.dead) return;
    this.dead = true;
    this.worker.terminate();
    this.giveBack();
    this.hooks.onDead(this, reason);
  }

  private giveBack(): void {
    const jobs = this.batches.splice(0).flat();
    this.pages = 0;
    for (const { here } of jobs) here();
  }
}
