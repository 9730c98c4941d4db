import { monotonicMs as machineMs, systemTimers, type Timers } from '../clock.ts';
import { ServiceError, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../model/change.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { SeenRows } from '../seen/seen-store.ts';
import { untilStopped } from '../until-stopped.ts';
import { AUDIT_READS, type AuditStore } from './audit.ts';
import { type Learning, writeBackup } from './backup.ts';
import { CHECKPOINT_READS, type CheckpointStore, enterCheckpoint } from './checkpoint-store.ts';
import type { CommunityName, Connection, EngineName, Location, WriteAccess } from './connection.ts';
import { readContents, readEvents, readNamedActs } from './contents.ts';
import { type ConnectorCursor, connectorCursor } from './cursors.ts';
import { EXPERIMENT_READS, type ExperimentRows } from './experiment-rows.ts';
import { type FeedStore, feedStore } from './feeds.ts';
import { type FenceOptions, raiseFence } from './fence.ts';
import { findUsers } from './find-users.ts';
import { type KeyStore, type KeyUse, keyStore } from './keys.ts';
import type { WriterTask } from './messages.ts';
import { highestSeq } from './meta.ts';
import { modelHistory } from './models.ts';
import { readPersonLog } from './person-log.ts';
import { hasOldShown } from './purge-former.ts';
import { hasRetired } from './purge-retired.ts';
import { Purges } from './purges.ts';
import type { Reading } from './reading.ts';
import { failed, silent, writtenElsewhere } from './refusals.ts';
import { type Replayed, type ReplayOptions, replay } from './replay.ts';
import { storedSecret } from './secrets.ts';
import { listSeen, readSeen } from './seen.ts';
import { SharedLog } from './shared-log.ts';
import { readShown } from './shown-pages.ts';
import { CHANGES_READS, type StoredChanges } from './stored-changes.ts';
import type { RunTask, TaskResult } from './tasks.ts';
import { type Reads, TimedReads } from './timed-reads.ts';
import { Writer, type WriterHooks } from './writer.ts';

export interface StoreOptions {
  /** Folder of the SQLite database, created if missing. */
  data: string;
  /** `postgres://…`: takes precedence over `data`. */
  database_url?: string;
  /** The community; default content, whose lock covers all data of the place. */
  community?: CommunityName;
  /** Maximum number of records in the write queue. */
  write_queue: number;
  /**
   * `serve` (also for imports) holds the data exclusively. `beside` only reads changes and manages keys. `node` shares
   * a PostgreSQL database, or a folder, with other nodes, and writes after `lead`.
   */
  role: 'serve' | 'beside' | 'node';
  /** Refuses missing data instead of creating it. */
  must_exist?: boolean;
  command: string;
  /** Where this process answers requests, see `Holder`. */
  address?: string;
  /** Aborts opening and the start of the writer. */
  stopping?: AbortSignal;
  /** How long opening and keys wait for other writers. Default `store_patience_seconds`. */
  patience_seconds?: number;
  timers?: Timers;
  monotonicMs?(): number;
}

const ITEM_READS = {
  /** Stored versions by `seq`. Removed versions are left out. One primary key lookup each. */
  readItems: (reading: Reading, seqs: readonly number[]) => readContents<ItemContent>(reading, 'items', seqs),
};

const USER_READS = {
  /** As `readItems`. */
  readUsers: (reading: Reading, seqs: readonly number[]) => readContents<UserContent>(reading, 'users', seqs),
  findUsers,
  readPersonLog,
  readShown,
};

const SERVICE_READS = {
  readEvents,
  readNamedActs,
  modelHistory,
  /** `seq` of the last stored change of any kind. */
  highestSeq: ({ db }: Reading) => highestSeq(db),
  connectorCursor: ({ db }: Reading, connector: string) => connectorCursor(db, connector),
  /** Whether there may be retired rows to purge. */
  hasRetired: ({ db }: Reading) => hasRetired(db),
  /** Whether there are shown pages to purge at a time in seconds. Before it, their counts have to be stored. */
  hasOldShown: ({ db }: Reading, now: number) => hasOldShown(db, now),
};

/** At a start. They throw StartupError. */
const START_READS = {
  cursorSecret: ({ db }: Reading) => storedSecret(db, 'cursor'),
};

/** They throw ServiceError `store_unavailable`, or the reason of `given_up`. */
type RequestReads = Reads<typeof ITEM_READS & typeof USER_READS & typeof SERVICE_READS>;

/** The durable data: changes, keys, accounts, feeds. */
export interface Store extends StoredChanges, RequestReads, Reads<typeof START_READS> {
  readonly engine: EngineName | 'memory';
  /**
   * Starts the writer: once, after the replay and before the first `submit`, for role `serve`, and for role `node`
   * after `lead`.
   * @throws StartupError `data_taken_over` (also if the data has more than was replayed), `writer_failed`; the reason
   * of `stopping`
   */
  startWriter(hooks: WriterHooks): Promise<void>;
  /** Whether this process writes the data: false for a node that follows another. */
  readonly writes: boolean;
  /** Takes the data over for this process. For role `node` only. @throws as `raiseFence` */
  lead(options: FenceOptions): Promise<void>;
  /** For role `node` only. */
  readonly log: SharedLog | undefined;
  /** True if writing ended for good. The hooks of the writer got the reason. */
  readonly is_stopped: boolean;
  /** True while the store does not answer. Reads and writes are then refused. */
  readonly is_silent: boolean;
  /** See `Writer.submit`. Default: priority `bulk`, and one record per change. */
  submit(changes: Change[], records?: number, cursor?: ConnectorCursor): Promise<void>;
  /** Records that wait for the store or are being written. */
  readonly queued_records: number;
  readonly keys: KeyStore;
  readonly feeds: FeedStore;
  /** What viewers have seen. */
  readonly seen: SeenRows;
  /** What results of experiments are computed from. */
  readonly experiment_rows: ExperimentRows;
  /** The log of changes to feeds and keys. */
  readonly audit: AuditStore;
  /** Undefined if the data ends with the process. */
  readonly checkpoints: CheckpointStore | undefined;
  /**
   * Removes the rows that erasures and deletions left since the last purge.
   *
   * Reads whole tables in steps, between which the writer continues. Does nothing if nothing was erased or deleted.
   * @throws ServiceError `store_unavailable`, `shutting_down`; StillNeeded if readers keep the bytes from being freed,
   * and the next purge tries again
   */
  purge(): Promise<void>;
  /** Stops waiting for a silent store and for readers, because the process ends. */
  stopWaiting(): void;
  /** Purges retired items while the writer runs. Stops when `stopping` aborts; the next purge continues. */
  purgeRetired(stopping: AbortSignal): Promise<void>;
  /** See `Connection.logBytes`. */
  readonly log_bytes: number | undefined;
  /** Empties the write-ahead log, unless a reader needs it. For the process that writes. @throws ServiceError `store_unavailable` */
  shrinkLog(): Promise<boolean>;
  /** Why wallets could not be stored beside this data; undefined if they could. @throws StartupError */
  walletsRefusal(): Promise<StartupError | undefined>;
  /** See `writeBackup`. @param folder gets the copy under the name that it has in a data folder */
  backup(folder: string, learn: Learning): Promise<void>;
  /** Refuses changes and tasks from now on. Resolves when the earlier ones are stored. */
  endWriting(): Promise<void>;
  /** Ends writing, then closes everything. */
  close(): Promise<void>;
}

/** A store whose data outlives the process. */
export interface OpenedStore extends Store {
  /** Whether the data was created by this opening. */
  readonly is_new: boolean;
  /** The error for the operator, from an error of the data. */
  explained(error: unknown): ServiceError | StartupError;
}

/** The store that `openStore` opens. */
export function openedStore(
  options: StoreOptions,
  connection: Connection,
  write_access: WriteAccess | undefined,
  is_new: boolean,
): OpenedStore & { stop(reason: Error): void } {
  const timed_reads = new TimedReads(connection, options.timers ?? systemTimers);
  return Object.assign(
    new OpenStore(options, connection, write_access, is_new, timed_reads),
    timed_reads.reads('items', ITEM_READS),
    timed_reads.reads('users', USER_READS),
    timed_reads.reads('service', SERVICE_READS),
    timed_reads.loads({ ...CHANGES_READS, ...START_READS }),
  );
}

class OpenStore {
  readonly keys: KeyStore;
  readonly feeds: FeedStore;
  readonly seen: SeenRows;
  readonly experiment_rows: ExperimentRows;
  readonly audit: AuditStore;
  readonly checkpoints: CheckpointStore;
  private readonly timers: Timers;
  private writer: Writer | undefined;
  /** `highest_seq` of the last replay. */
  private replayed_seq = 0;
  private stop_reason: Error | undefined;
  private readonly ending = new AbortController();
  private readonly purges: Purges;
  readonly log: SharedLog | undefined;

  constructor(
    private readonly options: StoreOptions,
    private readonly connection: Connection,
    private readonly write_access: WriteAccess | undefined,
    readonly is_new: boolean,
    private readonly timed_reads: TimedReads,
  ) {
    this.timers = options.timers ?? systemTimers;
    if (options.role === 'node') {
      this.log = new SharedLog(connection, timed_reads, (visit, given) => this.replay(visit, given));
    }
    const runTask: RunTask = async (name, input) =>
      (await this.run({ type: 'task', name, input })) as TaskResult<typeof name>;
    const noteUse = (uses: readonly KeyUse[]) => runTask('key_use', uses);
    this.keys = keyStore(connection, timed_reads, noteUse, options.patience_seconds);
    this.feeds = feedStore(timed_reads, (write) => runTask('feed', write));
    this.audit = timed_reads.reads('service', AUDIT_READS);
    this.experiment_rows = timed_reads.reads('service', EXPERIMENT_READS);
    this.checkpoints = {
      ...timed_reads.reads('service', CHECKPOINT_READS),
      enter: async (entry) => {
        if (this.follows) return;
        if (this.writer === undefined) await enterCheckpoint(connection.db, entry);
        else await runTask('checkpoint', entry);
      },
    };
    this.seen = {
      ...timed_reads.reads('service', { list: listSeen }),
      ...timed_reads.reads('seen', { read: readSeen }),
      remove: (removals) => runTask('seen_removal', removals),
      // The only writer of a data folder is a thread. A server takes writes from every process.
      write: async (writes) =>
        connection.server === undefined
          ? runTask('seen', writes)
          : timed_reads.request(() => connection.writeSeen(connection.db, writes)),
    };
    const run = (task: WriterTask) => this.run(task);
    this.purges = new Purges({ connection, timers: this.timers, ending: this.ending.signal, run });
  }

  private get location(): Location {
    const { data, database_url, community } = this.options;
    return { data, database_url, community };
  }

  get engine(): EngineName {
    return this.connection.engine;
  }

  get queued_records(): number {
    return this.writer?.queued_records ?? 0;
  }

  get is_stopped(): boolean {
    return this.writer?.is_stopped ?? false;
  }

  get writes(): boolean {
    return this.writer !== undefined;
  }

  /** Whether another node writes the data. */
  private get follows(): boolean {
    return this.options.role === 'node' && this.writer === undefined;
  }

  async lead(options: FenceOptions): Promise<void> {
    if (this.write_access === undefined) throw new Error('a store opened beside another process cannot lead');
    this.write_access.fence = await raiseFence(this.connection, options);
    await this.write_access.lock?.announce();
  }

  get is_silent(): boolean {
    return this.timed_reads.is_silent || (this.writer?.is_silent ?? false);
  }

  /** Stops the writer for good, even if it has not started yet. */
  stop(reason: Error): void {
    this.stop_reason = reason;
    this.writer?.stop(reason);
  }

  async replay(
    visit: (change: Change) => void,
    options: Omit<ReplayOptions, 'reader_thread' | 'timed_reads'> = {},
  ): Promise<Replayed> {
    const { connection, timed_reads, location } = this;
    const replayed = await replay(connection, visit, {
      ...options,
      timed_reads,
      reader_thread: { location },
    });
    this.replayed_seq = replayed.highest_seq;
    return replayed;
  }

  async startWriter(hooks: WriterHooks): Promise<void> {
    const { fence } = this.write_access ?? {};
    if (fence === undefined) throw new Error('a store without a fence cannot write');
    if (this.writer !== undefined) throw new Error('the writer runs already');
    const { monotonicMs = machineMs } = this.options;
    // SQLite has no timeout. A connection to a server may be lost without an error.
    const patience =
      this.engine === 'sqlite' ? undefined : { seconds: LIMITS.store_patience_seconds, monotonicMs };
    const start = { location: this.location, fence, highest_seq: this.replayed_seq, patience };
    const starting = Writer.start(start, hooks, this.options.write_queue);
    this.writer = await untilStopped(starting, this.options.stopping, (writer) => writer.close());
    if (this.stop_reason !== undefined) this.writer.stop(this.stop_reason);
  }

  submit(changes: Change[], records = changes.length, cursor?: ConnectorCursor): Promise<void> {
    if (this.writer === undefined) return Promise.reject(this.notWriting('submit'));
    return this.writer.submit(changes, records, cursor);
  }

  purge(): Promise<void> {
    return this.writer === undefined ? this.purges.unwritten() : this.purges.byWriter('erased');
  }

  stopWaiting(): void {
    this.ending.abort();
    this.writer?.applyTimeout(this.timers);
    this.timed_reads.ping();
  }

  purgeRetired(stopping: AbortSignal): Promise<void> {
    return this.purges.byWriter('retired', stopping);
  }

  get log_bytes(): number | undefined {
    return this.connection.logBytes();
  }

  async shrinkLog(): Promise<boolean> {
    return (await this.run({ type: 'shrink_log' })) === true;
  }

  backup(folder: string, learn: Learning): Promise<void> {
    const { community } = this.options;
    return writeBackup(this.connection, { data: folder, community }, learn);
  }

  walletsRefusal(): Promise<StartupError | undefined> {
    return this.timed_reads.load(() => this.connection.walletsRefusal());
  }

  explained(error: unknown): ServiceError | StartupError {
    if (error instanceof ServiceError || error instanceof StartupError) return error;
    return this.connection.refusal(error) ?? failed(error);
  }

  private run(task: WriterTask): Promise<unknown> {
    if (this.writer === undefined) return Promise.reject(this.notWriting('a write'));
    if (this.is_silent) return Promise.reject(silent());
    return this.writer.run(task);
  }

  private notWriting(what: string): Error {
    return this.follows ? writtenElsewhere() : new Error(`${what} before startWriter`);
  }

  async endWriting(): Promise<void> {
    await this.writer?.close();
  }

  async close(): Promise<void> {
    await this.endWriting();
    this.timed_reads.end();
    await this.connection.close();
    await this.write_access?.lock?.release();
  }
}
