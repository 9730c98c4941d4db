import type { Clock, Timers } from '../clock.ts';
import type { OrderEnds, PagesElsewhere, TextOrder } from '../feed/elsewhere.ts';
import type { FeedMeter } from '../feed/feed-meter.ts';
import type { SavedFeeds } from '../feed/saved-feeds.ts';
import type { Engine } from '../pipeline/engine.ts';
import type { Effort, PluginLog } from '../plugin/index.ts';
import { KEEP_UP } from '../state/change-ring.ts';
import type { BatchReply, Beginning } from './messages.ts';
import { type Job, PageThread, type ThreadHooks } from './page-thread.ts';
import { sharedOf } from './page-work.ts';

/** Pages that a thread is given in one go at most. */
const BATCH_MAX = 32;
/** What else the serving thread does for each page, as a share of building one: reading the request, answering, recording. */
const OTHER_WORK = 0.3;
/** Threads that nobody asks take in so many changes in one go: more than are remembered would mean to begin anew. */
const CHANGES_TAKEN = 2 * KEEP_UP;
/** Neighbour lists built between two batches at most: under full load there is no other time. */
const LISTS_BETWEEN = 4;
/** How long a thread goes on after its pages, and without any, with what is better done before somebody waits. */
const WORK_AFTER_MS = 0.5;
const WORK_ALONE_MS = 4;
/** A thread without pages looks so often (seconds) for such work; so soon again when there is more. */
const LOOK_SECONDS = 5;
const AGAIN_SECONDS = 0.01;

export interface PageThreadsOptions {
  threads: number;
  beginning: Omit<Beginning, 'type' | 'change_waits'>;
  shared: Pick<Engine, 'state' | 'walk'>;
  saved_feeds: SavedFeeds;
  meter: FeedMeter;
  clock: Clock;
  timers: Timers;
  effort(): Effort;
  log: PluginLog;
  /** Nothing reads any more. */
  onFree(): void;
}

/**
 * Builds for-you pages on further threads. They read the state where it lies, so nothing may change while they do: changes
 * wait for the page that each is at, and the next pages for the changes. Of what arrives together the serving thread
 * builds some itself, so that all are done at about the same time.
 */
export class PageThreads implements PagesElsewhere {
  private threads: PageThread[];
  /** Arrived in this turn. */
  private arrived: Job[] = [];
  /** For the threads, in order. */
  private readonly queue: Job[] = [];
  private readonly writes: (() => void)[] = [];
  private readonly missed = new Set<number>();
  private planned = false;
  private pages = 0;
  private stopped = false;
  /** Of `state.changed`, what the threads have been told of. */
  private version = 0;
  private cancel = (): void => {};

  constructor(private readonly options: PageThreadsOptions) {
    const { threads, beginning, shared, saved_feeds, timers } = options;
    const hooks: ThreadHooks = {
      onDone: (_, reply, left) => this.onDone(reply, left),
      onDead: (thread, reason) => this.onDead(thread, reason),
    };
    const roots = sharedOf(shared);
    this.threads = Array.from({ length: threads }, () => new PageThread(roots, beginning, hooks));
    saved_feeds.watch((news) => {
      for (const thread of this.threads) thread.note(news);
    });
    // So that what they derive is there when the first pages are asked for.
    this.cancel = timers.after(0, () => this.look());
  }

  get figures(): { threads: number; pages: number } {
    return { threads: this.threads.length, pages: this.pages };
  }

  get reading(): boolean {
    return this.threads.some(({ reading }) => reading);
  }

  /** Trending and popular pages take no longer to build than to be handed over. */
  takes({ feed_type, request }: TextOrder): boolean {
    if (this.stopped || this.threads.length === 0 || feed_type !== 'for-you') return false;
    return !request.explain && !request.return_metadata && request.unsaved === undefined;
  }

  build<T>(order: TextOrder, { here, built }: OrderEnds<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (make: () => T): void => {
        try {
          resolve(make());
        } catch (error) {
          reject(error);
        }
      };
      this.arrived.push({
        order,
        here: () => end(here),
        built: (text, seen) => end(() => built(text, seen)),
      });
      this.plan();
    });
  }

  exclusively(run: () => void): Promise<void> | undefined {
    if (!this.reading && this.writes.length === 0) {
      run();
      this.keepUp();
      return undefined;
    }
    for (const thread of this.threads) thread.hurry();
    return new Promise((resolve, reject) => {
      this.writes.push(() => {
        try {
          run();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    this.share();
    while (this.reading) await this.exclusively(() => {});
    for (const thread of this.threads.splice(0)) thread.stop();
  }

  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    // Whoever goes on in this turn has asked by then.
    queueMicrotask(() => this.share());
  }

  /** Divides what has arrived between the threads and this one. */
  private share(): void {
    this.planned = false;
    const { arrived } = this;
    this.arrived = [];
    const own = this.ownShare(arrived.length);
    for (const job of arrived.slice(own)) this.queue.push(job);
    this.dispatch();
    for (const { here } of arrived.slice(0, own)) here();
  }

  /** How many of some pages this thread builds: as many as let all be done at the same time. */
  private ownShare(pages: number): number {
    const threads = this.threads.length;
    if (threads === 0 || this.stopped) return pages;
    const waiting = this.threads.reduce((sum, thread) => sum + thread.pages, this.queue.length);
    const own = (waiting + pages - threads * pages * OTHER_WORK) / (threads + 1);
    return Math.min(pages, Math.max(0, Math.ceil(own)));
  }

  private dispatch(): void {
    if (this.writes.length > 0) return;
    const idle = this.threads.filter(({ reading }) => !reading);
    let takers = idle.length;
    for (const thread of idle) {
      const share = Math.ceil(this.queue.length / takers--);
      const jobs = this.queue.splice(0, Math.min(BATCH_MAX, share));
      if (jobs.length > 0) this.begin(thread, jobs, WORK_AFTER_MS);
    }
  }

  private begin(thread: PageThread, jobs: Job[], work_ms: number): void {
    const { shared, clock, effort } = this.options;
    const { state, walk } = shared;
    if (!this.reading) {
      walk.keepUp(this.missed, LISTS_BETWEEN);
      this.missed.clear();
      walk.frozen = true;
      this.version = state.changed.version;
    }
    thread.build(jobs, clock.now(), effort(), work_ms);
  }

  private onDone({ pages, missed, meter, more }: BatchReply, left: readonly Job[]): void {
    this.pages += pages.length;
    this.queue.unshift(...left);
    for (const item of missed) this.missed.add(item);
    this.options.meter.add(meter);
    this.goOn();
    if (more) this.lookIn(AGAIN_SECONDS);
  }

  private goOn(): void {
    if (!this.reading) {
      this.options.shared.walk.frozen = false;
      for (const write of this.writes.splice(0)) write();
      this.options.onFree();
    }
    this.dispatch();
  }

  private onDead(thread: PageThread, reason: Error): void {
    this.threads = this.threads.filter((other) => other !== thread);
    this.options.log.warn({ cause: reason.message }, 'a page thread has ended; pages are built without it');
    if (this.threads.length === 0) for (const { here } of this.queue.splice(0)) here();
    this.goOn();
  }

  /** Threads that are asked for nothing take in what changes now and then: later it would be too much. */
  private keepUp(): void {
    if (this.options.shared.state.changed.version - this.version >= CHANGES_TAKEN) this.work();
  }

  private look(): void {
    this.work();
    this.lookIn(LOOK_SECONDS);
  }

  private lookIn(seconds: number): void {
    if (this.stopped) return;
    this.cancel();
    this.cancel = this.options.timers.after(seconds, () => this.look());
  }

  /** Lets all threads that are idle do what is better done before somebody waits for it. */
  private work(): void {
    if (this.stopped || this.writes.length > 0) return;
    for (const thread of this.threads) if (!thread.reading) this.begin(thread, [], WORK_ALONE_MS);
  }
}
