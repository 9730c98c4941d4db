import type { Clock, Timers } from '../clock.ts';
import type { OrderEnds, PagesElsewhere, TextOrder } from '../feed/elsewhere.ts';
import type { FeedMeter } from '../feed/feed-meter.ts';
import type { SavedFeeds } from '../feed/saved-feeds.ts';
import type { Engine } from '../pipeline/engine.ts';
import type { Effort, PluginLog } from '../plugin/index.ts';
import { KEEP_UP } from '../state/change-ring.ts';
import { MirrorSource } from '../state/mirror.ts';
import type { BatchReply, ThreadSettings } from './messages.ts';
import { type Job, PageThread, type ThreadHooks } from './page-thread.ts';
import { sharedOf } from './page-work.ts';
import { ReadersLock } from './readers-lock.ts';

/** Pages that a thread builds before it tells of them. */
const BATCH_MAX = 8;
/** So many pages at least are divided: of fewer that arrive together, the last is sooner done here than handed over. */
const SHARED_MIN = 5;
/** What else the serving thread does for each page, as a share of building one: reading the request, answering, recording. */
const OTHER_WORK = 0.3;
/** Threads that nobody asks take in so many changes in one go: more than are remembered would mean to begin anew. */
const CHANGES_TAKEN = 2 * KEEP_UP;
/** Neighbour lists built at most whenever something changes: under full load there is no other time. */
const LISTS_AT_ONCE = 1;
/** How long a thread goes on after its pages, and without any, with what is better done before somebody waits. */
const WORK_AFTER_MS = 0.5;
const WORK_ALONE_MS = 4;
/** A thread without pages looks so often (seconds) for such work; so soon again when there is more. */
const LOOK_SECONDS = 5;
const AGAIN_SECONDS = 0.01;

export interface PageThreadsOptions {
  threads: number;
  settings: ThreadSettings;
  /** Signals whose rankings are built before somebody asks. */
  rankings: readonly string[];
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
 * Builds for-you pages on further threads. They read the state where it lies, so nothing changes while they do: a change
 * waits for the page that each is at, and the next pages for the change. Of what arrives together the serving thread
 * builds some itself, so that all are done at about the same time; a few it builds alone.
 */
export class PageThreads implements PagesElsewhere {
  private threads: PageThread[];
  private readonly source: MirrorSource;
  private readonly lock: ReadersLock;
  /** Arrived in this turn. */
  private arrived: Job[] = [];
  private readonly missed = new Set<number>();
  private pages = 0;
  private stopped = false;
  /** Wait until nothing is under way. */
  private waiting: (() => void)[] = [];
  /** Of `state.changed`, what the threads have been told of. */
  private version = 0;
  private cancel = (): void => {};

  constructor(private readonly options: PageThreadsOptions) {
    const { threads, settings, rankings, shared, saved_feeds, timers } = options;
    const hooks: ThreadHooks = {
      onDone: (reply, left) => this.onDone(reply, left),
      onDead: (thread, reason) => this.onDead(thread, reason),
    };
    this.source = new MirrorSource(sharedOf(shared));
    this.lock = new ReadersLock(ReadersLock.wordsFor(threads));
    const { words: lock } = this.lock;
    this.threads = Array.from(
      { length: threads },
      (_, reader) => new PageThread({ settings, rankings, lock, reader }, this.source, hooks),
    );
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
      // Whoever goes on in this turn has asked by then.
      if (this.arrived.length === 1) queueMicrotask(() => this.share());
    });
  }

  exclusively(run: () => void): void {
    if (!this.reading) {
      run();
      this.keepUp();
      return;
    }
    this.lock.write(() => {
      this.options.shared.walk.frozen = false;
      try {
        run();
        this.keepListsUp();
      } finally {
        this.beginReading();
      }
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    this.share();
    if (this.reading) await new Promise<void>((resolve) => this.waiting.push(resolve));
    for (const thread of this.threads.splice(0)) thread.stop();
  }

  /** Divides what has arrived between the threads and this one. */
  private share(): void {
    const { arrived } = this;
    this.arrived = [];
    const own = this.ownShare(arrived.length);
    this.dispatch(arrived.slice(own));
    for (const { here } of arrived.slice(0, own)) here();
  }

  /** How many of some pages this thread builds: as many as let all be done at the same time. */
  private ownShare(pages: number): number {
    const threads = this.threads.length;
    if (threads === 0 || this.stopped || pages < SHARED_MIN) return pages;
    const waiting = this.threads.reduce((sum, thread) => sum + thread.pages, 0);
    const own = (waiting + pages - threads * pages * OTHER_WORK) / (threads + 1);
    return Math.min(pages, Math.max(0, Math.ceil(own)));
  }

  /** Gives pages to the threads that have the fewest. */
  private dispatch(jobs: readonly Job[]): void {
    for (let at = 0; at < jobs.length; at += BATCH_MAX) {
      const thread = this.threads.reduce((one, other) => (other.pages < one.pages ? other : one));
      this.begin(thread, jobs.slice(at, at + BATCH_MAX), WORK_AFTER_MS);
    }
  }

  private begin(thread: PageThread, jobs: Job[], work_ms: number): void {
    const { clock, effort } = this.options;
    if (!this.reading) {
      this.keepListsUp();
      this.beginReading();
    }
    thread.build(jobs, clock.now(), effort(), work_ms);
  }

  private keepListsUp(): void {
    this.options.shared.walk.keepUp(this.missed, LISTS_AT_ONCE);
    this.missed.clear();
  }

  /** From now on nothing changes but within the lock. */
  private beginReading(): void {
    const { walk, state } = this.options.shared;
    walk.frozen = true;
    this.version = state.changed.version;
    this.source.publish();
  }

  private onDone({ pages, missed, meter, more }: BatchReply, left: readonly Job[]): void {
    this.pages += pages.length / 2;
    for (const item of missed) this.missed.add(item);
    this.options.meter.add(meter);
    this.goOn(left);
    if (more) this.lookIn(AGAIN_SECONDS);
  }

  private goOn(left: readonly Job[]): void {
    this.dispatch(left);
    if (this.reading) return;
    this.options.shared.walk.frozen = false;
    for (const resolve of this.waiting.splice(0)) resolve();
    this.options.onFree();
  }

  private onDead(thread: PageThread, reason: Error): void {
    this.threads = this.threads.filter((other) => other !== thread);
    this.options.log.warn({ cause: reason.message }, 'a page thread has ended; pages are built without it');
    this.goOn([]);
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
    if (this.stopped) return;
    for (const thread of this.threads) if (!thread.reading) this.begin(thread, [], WORK_ALONE_MS);
  }
}
