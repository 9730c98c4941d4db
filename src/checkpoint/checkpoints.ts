import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { monotonicMs, systemClock, type Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { preparePrivateFolder } from '../files/private-folder.ts';
import { LIMITS } from '../limits.ts';
import type { Read } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { CheckpointEntry, CheckpointStore } from '../store/checkpoint-store.ts';
import type { Location } from '../store/connection.ts';
import { type CheckpointProcess, startCheckpoint } from './child.ts';
import { checkpointFile, listsFile, removeFormer } from './folder.ts';
import { Unusable } from './head.ts';
import { type KeptLists, readLists, type WrittenLists, writeLists } from './list-file.ts';
import { loadCheckpoint } from './load.ts';
import { settle } from './settle.ts';
import { type CheckpointFile, type Written, writeOwn } from './write-next.ts';

export interface CheckpointOptions {
  place: Location;
  checkpoint_store: CheckpointStore;
  reads: Read[];
  /** Whether the process holds the words of items. Default: no. */
  hasWords?(): boolean;
  log: Logger;
  /** Minimum number of changes between two checkpoints. 0: no checkpoints are written. */
  changes: number;
  /** Minimum time between two checkpoints. */
  every_seconds: number;
  /** Copies a file of a checkpoint from elsewhere, if it is missing here. Never fails. */
  obtain?(name: string, part: 'state' | 'lists', file: string): Promise<void>;
}

/** Totals since the start. */
export interface CheckpointFigures {
  written: number;
  failed: number;
  bytes: number;
  milliseconds: number;
}

/** The pause between two pieces of neighbour lists, so that requests are served meanwhile. */
const LISTS_REST_MS = 2;
/** The maximum time until the lists reflect the changes of a checkpoint. */
const LISTS_WITHIN_MS = 30_000;

class Stopped extends Error {}

interface Writing {
  /** A caller waits for it, so it is not ended when the service stops. */
  awaited: boolean;
  /** Run it at the service's own priority. */
  urgent: boolean;
}

/**
 * The checkpoints of one community. Loads the current one, has the next written by a child process, and removes old
 * ones.
 *
 * Only one operation runs at a time.
 */
export class Checkpoints {
  readonly figures: CheckpointFigures = { written: 0, failed: 0, bytes: 0, milliseconds: 0 };
  /** `seq` of the current checkpoint. 0 if there is none. */
  seq = 0;
  /** Whether due checkpoints are written and unusable ones are removed. */
  private writing = false;
  private paused = false;
  private tried_ms = Number.NEGATIVE_INFINITY;
  /** A child process that no caller waits for. */
  private under_way: CheckpointProcess | undefined;
  private given_up: CheckpointProcess | undefined;
  private busy: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private cancel = (): void => {};
  /** The loaded checkpoint, until its lists are loaded. */
  private loaded: CheckpointEntry | undefined;
  private unusable: string | undefined;
  /** Stored beside checkpoints. Undefined: none are. */
  private lists: KeptLists | undefined;

  constructor(private readonly options: CheckpointOptions) {}

  /**
   * Fills an empty state from the current checkpoint. An unusable checkpoint is ignored.
   * @returns the `seq` up to which the state is complete
   */
  async load(state: State, slice: () => Promise<void>): Promise<number> {
    const { checkpoint_store, log } = this.options;
    const entry = await checkpoint_store.entry();
    if (entry === undefined) return 0;
    try {
      this.seq = await loadCheckpoint(state, await this.present(entry.name, 'state'), entry, slice);
      this.loaded = entry;
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      this.unusable = entry.name;
      log.warn(
        { reason: error.message },
        'the checkpoint cannot be used; all stored changes are read instead',
      );
    }
    return this.seq;
  }

  /**
   * Fills the lists from the file beside the loaded checkpoint. Unusable lists are ignored, and the file is removed.
   *
   * From now on the lists are stored with every checkpoint. The store's writer must be running.
   */
  async loadLists(lists: KeptLists, slice: () => Promise<void>): Promise<void> {
    this.lists = lists;
    const { checkpoint_store, log } = this.options;
    const { loaded } = this;
    this.loaded = undefined;
    if (loaded?.lists_digest === undefined) return;
    const { name, lists_digest: digest, ...others } = loaded;
    try {
      await readLists(await this.present(name, 'lists'), { name, digest }, lists, slice);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      log.warn(
        { reason: error.message },
        'the neighbour lists beside the checkpoint cannot be used; they are built again',
      );
      await checkpoint_store.enter({ name, ...others });
    }
  }

  /**
   * Removes files of former checkpoints now and regularly, until `begin` or `pause`. For a process that follows another,
   * which has replaced checkpoints that this one wrote or copied.
   *
   * The other process may use the same folder, so new files stay: they may be of a checkpoint that is being written.
   */
  follow(timers: Timers): void {
    const tidy = () =>
      this.inTurn(() => this.tidy(systemClock.now() - LIMITS.former_checkpoint_seconds)).catch(() => {});
    tidy();
    this.every(LIMITS.former_checkpoint_seconds, timers, tidy);
  }

  /**
   * Writes checkpoints from now on, until `pause`.
   *
   * The store's writer must be running. @param seq of the last change
   */
  async begin(timers: Timers, seq: () => number): Promise<void> {
    const { changes, checkpoint_store, log } = this.options;
    if (changes === 0) return;
    this.cancel();
    this.writing = true;
    try {
      // Another node may have written one since this process loaded its state.
      const entry = await checkpoint_store.entry();
      if (entry !== undefined && entry.name === this.unusable) await checkpoint_store.enter(undefined);
      else this.seq = entry?.seq ?? 0;
      await this.tidy();
    } catch (error) {
      log.warn({ cause: String(error) }, 'files of old checkpoints could not be removed');
    }
    this.watch(timers, seq);
  }

  /** Stops writing checkpoints. A running write is ended, unless a purge waits for it. */
  async pause(): Promise<void> {
    this.paused = true;
    this.cancel();
    this.given_up = this.under_way;
    this.given_up?.kill();
    await this.busy;
  }

  /**
   * Runs a purge. The checkpoint must not contain purged data, so the next one is written first.
   *
   * If that fails, there is no checkpoint afterwards.
   */
  async around(purge: () => Promise<void>): Promise<void> {
    await this.inTurn(async () => {
      const { checkpoint_store } = this.options;
      if (this.writing && this.seq > 0 && this.seq < (await checkpoint_store.unpurged())) {
        await this.write({ awaited: true, urgent: this.paused });
      }
      await purge().finally(async () => {
        this.seq = (await checkpoint_store.entry())?.seq ?? 0;
        await this.tidy();
      });
    });
  }

  /** Writes the next checkpoint for a caller that waits for it. Failures are logged and counted. */
  writeNow(): Promise<void> {
    return this.inTurn(() => this.write({ awaited: true, urgent: true }));
  }

  /**
   * Writes this process's state with all neighbour lists, if the next start would otherwise have much to replay. Nothing
   * is read again.
   *
   * All of the state must be stored, and it must not change meanwhile. A checkpoint that this process cannot use is
   * kept, since a service with other plugins can use it. Failures are logged and counted.
   * @param onBegin called before the work, which takes minutes for a large community
   */
  writeOwn(state: State, onBegin = (): void => {}): Promise<void> {
    const { changes, reads, checkpoint_store } = this.options;
    if (changes === 0 || !this.isDue(state.seq)) return Promise.resolve();
    return this.inTurn(async () => {
      if (this.seq === 0 && (await checkpoint_store.entry()) !== undefined) return;
      onBegin();
      await settle(state, nextTurn);
      await this.lists?.complete(nextTurn);
      await this.enter((next) => writeOwn(state, reads, next, nextTurn), nextTurn);
    });
  }

  private watch(timers: Timers, seq: () => number): void {
    const again_seconds = Math.min(
      LIMITS.checkpoint_look_seconds,
      Math.max(this.options.every_seconds, LIMITS.checkpoint_look_seconds_min),
    );
    const write = () => this.inTurn(() => this.write({ awaited: false, urgent: false }));
    const due = (now: number) => this.waiting === 0 && this.isDue(now);
    this.every(again_seconds, timers, async () => {
      if (due(seq())) await write();
    });
  }

  /** Repeats work that never fails, until `cancel`. */
  private every(seconds: number, timers: Timers, work: () => Promise<void>): void {
    let stopped = false;
    let stop = timers.after(seconds, again);
    function again(): void {
      work().finally(() => {
        if (!stopped) stop = timers.after(seconds, again);
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

  private async write({ awaited, urgent }: Writing): Promise<void> {
    const { place, checkpoint_store, reads, hasWords } = this.options;
    const { community = 'content' } = place;
    await this.enter(
      async (next) => {
        const last = await checkpoint_store.entry();
        const former = last && { ...last, file: await this.fileOf(last.name) };
        if (this.paused && !awaited) return undefined;
        const job = { ...place, community, reads, has_words: hasWords?.(), next, last: former };
        const child = startCheckpoint(job, urgent);
        if (!awaited) this.under_way = child;
        return child.written.catch((error) => {
          if (child === this.given_up) return undefined;
          throw error;
        });
      },
      () => {
        if (this.paused && !awaited) throw new Stopped();
        return urgent ? nextTurn() : Bun.sleep(LISTS_REST_MS);
      },
    );
  }

  /**
   * Writes a checkpoint and the neighbour lists, and makes them the current ones.
   * @param writing returns undefined if it was ended
   * @param slice awaited between pieces of the lists
   */
  private async enter(
    writing: (next: CheckpointFile) => Promise<Written | undefined>,
    slice: () => Promise<void>,
  ): Promise<void> {
    const { place, checkpoint_store, log } = this.options;
    this.tried_ms = monotonicMs();
    try {
      const name = crypto.randomUUID();
      preparePrivateFolder(place.data);
      const written = await writing({ name, file: await this.fileOf(name) });
      if (written === undefined) return;
      const { seq, digest, bytes, milliseconds } = written;
      const lists = await this.writeLists(name, seq, slice);
      await checkpoint_store.enter({ name, seq, digest, lists_digest: lists?.digest });
      this.note(written);
      const { community = 'content' } = place;
      log.info(
        { community, seq, bytes, lists_bytes: lists?.bytes, milliseconds: Math.round(milliseconds) },
        'checkpoint written',
      );
    } catch (error) {
      if (error instanceof Stopped) return;
      this.figures.failed++;
      const cause = reasonOf(error);
      log.warn({ cause }, 'no checkpoint could be written; it will be tried again');
    } finally {
      this.under_way = undefined;
      await this.tidy().catch(() => {});
    }
  }

  /**
   * Writes the lists beside a checkpoint, while the service may be running.
   *
   * A child process has no lists, so they are those of this process. They must reflect all changes of the checkpoint
   * that make lists invalid, because a start only looks for later ones.
   */
  private async writeLists(
    name: string,
    seq: number,
    slice: () => Promise<void>,
  ): Promise<WrittenLists | undefined> {
    const { lists } = this;
    if (lists === undefined) return undefined;
    try {
      const until_ms = monotonicMs() + LISTS_WITHIN_MS;
      while (!lists.reflect(seq)) {
        if (monotonicMs() > until_ms) throw new Error('the lists do not keep up with the changes');
        await slice();
      }
      return await writeLists(await this.fileOf(name, 'lists'), name, lists, slice);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      const cause = reasonOf(error);
      this.options.log.warn({ cause }, 'the neighbour lists could not be stored beside the checkpoint');
      return undefined;
    }
  }

  private note({ seq, bytes, milliseconds }: Written): void {
    this.seq = seq;
    Object.assign(this.figures, { written: this.figures.written + 1, bytes, milliseconds });
  }

  /**
   * Removes all files except those of the current checkpoint.
   * @param before in seconds; files that were changed later stay
   */
  private async tidy(before?: number): Promise<void> {
    const { place, checkpoint_store } = this.options;
    removeFormer(place, await checkpoint_store.databaseId(), await checkpoint_store.entry(), before);
  }

  /** A file of the current checkpoint, to send it to another node. Undefined if `name` is another checkpoint. */
  async current(name: string, part: 'state' | 'lists'): Promise<string | undefined> {
    const entry = await this.options.checkpoint_store.entry();
    return entry?.name === name ? this.fileOf(name, part) : undefined;
  }

  /** A file of the current checkpoint, copied from another node if needed and possible. */
  private async present(name: string, part: 'state' | 'lists'): Promise<string> {
    const { place, obtain } = this.options;
    const file = await this.fileOf(name, part);
    if (obtain !== undefined) {
      preparePrivateFolder(place.data);
      await obtain(name, part, file);
    }
    return file;
  }

  private async fileOf(name: string, part: 'state' | 'lists' = 'state'): Promise<string> {
    const { place, checkpoint_store } = this.options;
    return (part === 'state' ? checkpointFile : listsFile)(place, await checkpoint_store.databaseId(), name);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++;
    const done = this.busy.then(work).finally(() => this.waiting--);
    this.busy = done.catch(() => {});
    return done;
  }
}
