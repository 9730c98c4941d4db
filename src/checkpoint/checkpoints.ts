import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { monotonicMs, type Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { preparePrivateFolder } from '../files/private-folder.ts';
import { LIMITS } from '../limits.ts';
import type { Read } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { CheckpointBook } from '../store/checkpoint-book.ts';
import type { Location } from '../store/connection.ts';
import { type CheckpointProcess, startCheckpoint } from './child.ts';
import { loadCheckpoint } from './load.ts';
import { settle } from './settle.ts';
import { Unusable } from './unusable.ts';
import { type CheckpointFile, type Written, writeOwn } from './write-next.ts';

export interface CheckpointOptions {
  place: Location;
  book: CheckpointBook;
  /** Fields that plugins asked for. */
  reads: Read[];
  log: Logger;
  /** Changes since the last checkpoint before the next is written, at least; 0: none is written. */
  changes: number;
  /** From one to the next, at least. */
  every_seconds: number;
}

/** What has been written since the start. */
export interface CheckpointFigures {
  written: number;
  failed: number;
  /** Of the last one. */
  bytes: number;
  milliseconds: number;
}

const SUFFIX = '.checkpoint';

/**
 * The checkpoints of one community: loads the one that counts, has the next written by a process of its own
 * now and then, and removes what no longer counts. One thing at a time.
 */
export class Checkpoints {
  readonly figures: CheckpointFigures = { written: 0, failed: 0, bytes: 0, milliseconds: 0 };
  /** `seq` of the checkpoint that counts; 0 without one. */
  seq = 0;
  /** Writes when it is due, and throws unusable ones away. */
  private writing = false;
  /** The service is about to stop. */
  private paused = false;
  private tried_ms = Number.NEGATIVE_INFINITY;
  /** One that nobody waits for. */
  private under_way: CheckpointProcess | undefined;
  private given_up: CheckpointProcess | undefined;
  private busy: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private cancel = (): void => {};

  constructor(private readonly options: CheckpointOptions) {}

  /**
   * Fills an empty state from the checkpoint that counts; one that cannot be used is as good as none.
   * @returns up to which `seq` the state is complete
   */
  async load(state: State, slice: () => Promise<void>): Promise<number> {
    const { book, log } = this.options;
    const entry = await book.entry();
    if (entry === undefined) return 0;
    try {
      this.seq = await loadCheckpoint(state, await this.fileOf(entry.name), entry, slice);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      log.warn(
        { reason: error.message },
        'the checkpoint cannot be used; all stored changes are read instead',
      );
    }
    return this.seq;
  }

  /** From now on checkpoints are written, until `pause`. The writer runs. @param seq of the last change */
  async begin(timers: Timers, seq: () => number): Promise<void> {
    const { changes, book, log } = this.options;
    if (changes === 0) return;
    this.writing = true;
    try {
      if (this.seq === 0 && (await book.entry()) !== undefined) await book.enter(undefined);
      await this.tidy();
    } catch (error) {
      log.warn({ cause: String(error) }, 'what is left of former checkpoints could not be removed');
    }
    this.watch(timers, seq);
  }

  /** Writes no more of its own accord; what is under way is given up, unless a purge waits for it. */
  async pause(): Promise<void> {
    this.paused = true;
    this.cancel();
    this.given_up = this.under_way;
    this.given_up?.kill();
    await this.busy;
  }

  /**
   * Purges. The checkpoint must not hold what is purged, so the next is written first; should that fail,
   * there is none afterwards.
   */
  async around(purge: () => Promise<void>): Promise<void> {
    await this.inTurn(async () => {
      const { book } = this.options;
      if (this.writing && this.seq > 0 && this.seq < (await book.unpurged())) {
        await this.write({ awaited: true, urgent: this.paused });
      }
      await purge().finally(async () => {
        this.seq = (await book.entry())?.seq ?? 0;
        await this.tidy();
      });
    });
  }

  /** Writes the next, for which somebody waits. Failures are logged and counted. */
  writeNow(): Promise<void> {
    return this.inTurn(() => this.write({ awaited: true, urgent: true }));
  }

  /**
   * Writes what this process has in memory, if the next start would else have much to read: nothing is read again.
   * Nobody may change it meanwhile, and all of it must be stored. A checkpoint that this process cannot use is left alone, as
   * a service with other plugins can. Failures are logged and counted.
   */
  writeOwn(state: State): Promise<void> {
    const { changes, reads, book } = this.options;
    if (changes === 0 || !this.isDue(state.seq)) return Promise.resolve();
    return this.inTurn(async () => {
      if (this.seq === 0 && (await book.entry()) !== undefined) return;
      await settle(state, nextTurn);
      await this.enter((next) => writeOwn(state, reads, next, nextTurn));
    });
  }

  private watch(timers: Timers, seq: () => number): void {
    const again_seconds = Math.min(
      LIMITS.checkpoint_look_seconds,
      Math.max(this.options.every_seconds, LIMITS.checkpoint_look_seconds_min),
    );
    let stopped = false;
    let stop = timers.after(again_seconds, look);
    const write = () => this.inTurn(() => this.write({ awaited: false, urgent: false }));
    const due = (now: number) => this.waiting === 0 && this.isDue(now);
    function look(): void {
      const looked = due(seq()) ? write() : Promise.resolve();
      looked.finally(() => {
        if (!stopped) stop = timers.after(again_seconds, look);
      });
    }
    this.cancel = () => {
      stopped = true;
      stop();
    };
  }

  private isDue(seq: number): boolean {
    const { changes, every_seconds } = this.options;
    if (monotonicMs() - this.tried_ms < every_seconds * 1000) return false;
    return seq - this.seq >= Math.max(changes, Math.floor(seq * LIMITS.checkpoint_changes_share));
  }

  /** @param awaited it is not given up when the service stops; `urgent`: at no lower priority than the service */
  private async write({ awaited, urgent }: { awaited: boolean; urgent: boolean }): Promise<void> {
    const { place, book, reads } = this.options;
    const { community = 'content' } = place;
    await this.enter(async (next) => {
      const last = await book.entry();
      const former = last && { ...last, file: await this.fileOf(last.name) };
      if (this.paused && !awaited) return undefined;
      const child = startCheckpoint({ ...place, community, reads, next, last: former }, urgent);
      if (!awaited) this.under_way = child;
      return child.written.catch((error) => {
        if (child === this.given_up) return undefined;
        throw error;
      });
    });
  }

  /** Has a checkpoint written, and makes it the one that counts. @param writing gives undefined when it was given up */
  private async enter(writing: (next: CheckpointFile) => Promise<Written | undefined>): Promise<void> {
    const { place, book, log } = this.options;
    this.tried_ms = monotonicMs();
    try {
      const name = crypto.randomUUID();
      preparePrivateFolder(place.data);
      const written = await writing({ name, file: await this.fileOf(name) });
      if (written === undefined) return;
      await book.enter({ name, seq: written.seq, digest: written.digest });
      this.note(written);
      const { community = 'content' } = place;
      const { seq, bytes, milliseconds } = written;
      log.info({ community, seq, bytes, milliseconds: Math.round(milliseconds) }, 'checkpoint written');
    } catch (error) {
      this.figures.failed++;
      const cause = reasonOf(error);
      log.warn({ cause }, 'no checkpoint could be written; it will be tried again');
    } finally {
      this.under_way = undefined;
      await this.tidy().catch(() => {});
    }
  }

  private note({ seq, bytes, milliseconds }: Written): void {
    this.seq = seq;
    Object.assign(this.figures, { written: this.figures.written + 1, bytes, milliseconds });
  }

  /** Removes every file but that of the checkpoint that counts. */
  private async tidy(): Promise<void> {
    const { place, book } = this.options;
    const entry = await book.entry();
    const prefix = await this.prefix();
    const kept = entry && prefix + entry.name + SUFFIX;
    for (const name of namesIn(place.data)) {
      if (name.startsWith(prefix) && name.includes(SUFFIX) && name !== kept)
        rmSync(join(place.data, name), { force: true });
    }
  }

  private async fileOf(name: string): Promise<string> {
    return join(this.options.place.data, (await this.prefix()) + name + SUFFIX);
  }

  /** A folder belongs to one embedded database, but several of PostgreSQL's may use it. */
  private async prefix(): Promise<string> {
    const { place, book } = this.options;
    const { community = 'content', database_url } = place;
    return database_url === undefined ? `${community}-` : `${await book.databaseId()}-${community}-`;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++;
    const done = this.busy.then(work).finally(() => this.waiting--);
    this.busy = done.catch(() => {});
    return done;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Where the data is in PostgreSQL, there may be no folder yet.
    return [];
  }
}
