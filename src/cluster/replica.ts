import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../clock.ts';
import { rootReasonOf, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../model/change.ts';
import type { State } from '../state/state.ts';
import type { FenceOptions } from '../store/fence.ts';
import { unreadable } from '../store/refusals.ts';
import type { SharedLog } from '../store/shared-log.ts';
import type { Store } from '../store/store.ts';
import { untilStopped } from '../until-stopped.ts';

/** The community that a replica keeps up to date. */
export interface Replicated {
  state: State;
  store: Pick<Store, 'lead' | 'log'>;
  ingest: { committed(changes: readonly Change[]): unknown; failed(): void };
  feeds: { upkeep: { keepUp(): void } };
  saved_feeds: { keepUp(revision: number): Promise<void> };
}

export interface ReplicaOptions {
  community: Replicated;
  log: Pick<SharedLog, 'head' | 'read'>;
  applied_seq: number;
  /** `LogHead.purged_seq` before the state was loaded. */
  purged_seq: number;
  timers: Timers;
  monotonicMs: () => number;
  /** Called once when the state cannot follow the log any more and must be loaded again. */
  onLost(reason: string): void;
}

/** The time between two reads of the log when nothing asks for one. */
const POLL_SECONDS = 0.05;
/** The least time between the starts of two reads of the log. */
const PAUSE_SECONDS = 0.001;

/**
 * Keeps the state of one community up to date with the log that another node writes.
 *
 * It reads the log every 50 ms, and whenever a request needs to know that it has everything. Requests that arrive during
 * a read share the next one.
 */
export class Replica {
  /** Every change up to this `seq` is in the state. */
  applied_seq: number;
  /** When the last complete read of the log began, in milliseconds. */
  read_ms: number;
  private feeds_revision = -1;
  /** Until the first read: rows up to this `seq` were purged before the state was loaded. */
  private purged_before_load: number | undefined;
  private reading: Promise<void> = Promise.resolve();
  /** A read that has not begun. */
  private next: Promise<void> | undefined;
  private began_ms = Number.NEGATIVE_INFINITY;
  private stopped = false;
  private lost = false;
  private cancel = (): void => {};

  constructor(private readonly options: ReplicaOptions) {
    this.applied_seq = options.applied_seq;
    this.purged_before_load = options.purged_seq;
    this.read_ms = options.monotonicMs();
  }

  /** Reads the log at intervals from now on. */
  begin(): void {
    this.cancel = this.options.timers.after(POLL_SECONDS, () => {
      this.caughtUp()
        .catch(() => {})
        .finally(() => {
          if (!this.stopped) this.begin();
        });
    });
  }

  /**
   * Resolves when the state has every change that was stored before the call.
   * @throws ServiceError `store_unavailable`; the reason of `given_up`
   */
  caughtUp(given_up?: AbortSignal): Promise<void> {
    this.next ??= this.readNext();
    return given_up === undefined ? this.next : untilStopped(this.next, given_up);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.reading.catch(() => {});
  }

  /**
   * Takes the log over: no other node can write it any more, and the state has all of it.
   * @throws Overtaken, StartupError
   */
  async lead(options: FenceOptions): Promise<void> {
    const { community } = this.options;
    await this.stop();
    await community.store.lead(options);
    await this.read();
    // Nothing is queued. Keys of rows that a purge removed were skipped since these were computed.
    community.ingest.failed();
  }

  private async readNext(): Promise<void> {
    const { timers, monotonicMs } = this.options;
    await this.reading.catch(() => {});
    const rest_seconds = PAUSE_SECONDS - (monotonicMs() - this.began_ms) / 1000;
    if (rest_seconds > 0) await new Promise<void>((resolve) => timers.after(rest_seconds, resolve));
    this.next = undefined;
    this.reading = this.stopped ? Promise.reject(notFollowing()) : this.readWhileServing();
    return this.reading;
  }

  private readWhileServing(): Promise<void> {
    return this.read().catch((error) => {
      throw error instanceof ServiceError ? error : unreadable(error);
    });
  }

  private async read(): Promise<void> {
    const { log, community, monotonicMs } = this.options;
    if (this.lost) throw notFollowing();
    this.began_ms = monotonicMs();
    const began_ms = this.began_ms;
    const head = await log.head();
    if (head.purged_seq > (this.purged_before_load ?? this.applied_seq))
      this.lose('rows that it had not read yet were purged');
    this.purged_before_load = undefined;
    // A standby that lacks the newest changes has taken the place of the database.
    if (head.highest_seq < this.applied_seq) this.lose('the log has lost changes that it has applied');
    if (head.highest_seq > this.applied_seq) await this.apply();
    if (head.feeds_revision !== this.feeds_revision) {
      await community.saved_feeds.keepUp(head.feeds_revision);
      this.feeds_revision = head.feeds_revision;
    }
    this.read_ms = began_ms;
  }

  private async apply(): Promise<void> {
    const { log, community } = this.options;
    let read: Change[] = [];
    const deliver = async (): Promise<void> => {
      const changes = read;
      read = [];
      for (let start = 0; start < changes.length; start += LIMITS.applied_rows_max) {
        if (start > 0) await nextTurn();
        await this.deliver(changes.slice(start, start + LIMITS.applied_rows_max));
      }
    };
    const { highest_seq, keys_from } = await log.read(
      this.applied_seq,
      (change) => read.push(change),
      async () => {
        await deliver();
        await nextTurn();
      },
    );
    await deliver();
    community.state.users.names.skipTo(keys_from.user);
    community.state.items.names.skipTo(keys_from.item);
    this.applied_seq = highest_seq;
  }

  private async deliver(changes: readonly Change[]): Promise<void> {
    const { ingest, feeds } = this.options.community;
    try {
      await ingest.committed(changes);
      // If the rest of this read fails, the next one must not apply these changes again.
      this.applied_seq = changes[changes.length - 1].seq;
      feeds.upkeep.keepUp();
    } catch (error) {
      this.lose(`a change could not be applied (${rootReasonOf(error)})`);
    }
  }

  private lose(reason: string): never {
    if (!this.lost) {
      this.lost = true;
      this.options.onLost(reason);
    }
    throw notFollowing();
  }
}

function notFollowing(): ServiceError {
  const detail = 'this node is loading its state again; send again later';
  return new ServiceError('store_unavailable', detail, undefined, 1);
}
