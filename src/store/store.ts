import { monotonicMs as machineMs, systemTimers, type Timers } from '../clock.ts';
import type { HashKey } from '../columns/keyed-hash.ts';
import { ServiceError, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../model/change.ts';
import type { EventChange } from '../model/changes/event.ts';
import type { ShownChange } from '../model/changes/shown.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { SeenRows } from '../seen/seen-store.ts';
import { untilStopped } from '../until-stopped.ts';
import { type AuditStore, auditEntries } from './audit.ts';
import { type Learning, writeBackup } from './backup.ts';
import { type CheckpointStore, enterCheckpoint } from './checkpoint-store.ts';
import type { CommunityName, Connection, EngineName, Location, WriteAccess } from './connection.ts';
import { readContents, readEvents } from './contents.ts';
import { type ConnectorCursor, connectorCursor } from './cursors.ts';
import type { ExperimentRows } from './experiment-rows.ts';
import type { FeedStore } from './feeds.ts';
import { type FenceOptions, raiseFence } from './fence.ts';
import { type FoundUser, findUsers } from './find-users.ts';
import type { KeyStore } from './keys.ts';
import type { TaskReply, WriterTask } from './messages.ts';
import { type PersonLog, readPersonLog } from './person-log.ts';
import { hasRetired } from './purge-retired.ts';
import { hasOldShown } from './purge-shown.ts';
import { Purges } from './purges.ts';
import { failed, silent, writtenElsewhere } from './refusals.ts';
import { type Replayed, type ReplayOptions, replay } from './replay.ts';
import { storedSecret, storedTableHashKey } from './secrets.ts';
import { SharedLog } from './shared-log.ts';
import { readShown, type ShownOf, type ShownPlace } from './shown-pages.ts';
import type { StoredChanges } from './stored-changes.ts';
import { TimedReads } from './timed-reads.ts';
import { timedCheckpoints, timedExperimentRows, timedFeeds, timedKeys, timedSeen } from './timed-stores.ts';
import { latestTrend } from './trends.ts';
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

/** The durable data: changes, keys, accounts, feeds. */
export interface Store extends StoredChanges {
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
  connectorCursor(connector: string): Promise<string | undefined>;
  /** Records that wait for the store or are being written. */
  readonly queued_records: number;
  /**
   * Stored versions by `seq`. Removed versions are left out. One primary key lookup each.
   * @param given_up cancels the read, which does not start if it still waits for a connection
   * @throws ServiceError `store_unavailable`; the reason of `given_up`
   */
  readItems(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, ItemContent>>;
  readUsers(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, UserContent>>;
  /**
   * Stored profiles whose username or display name begins with a text, without case: first by username. They may be
   * former profiles, and profiles of erased users. Reads at most some thousand rows of an index.
   * @throws as `readItems`
   */
  findUsers(prefix: string, given_up?: AbortSignal): Promise<FoundUser[]>;
  /** Named events with these hashes, by `seq`. Hash collisions may add other events. @throws as `readItems` */
  readEvents(hashes: readonly number[]): Promise<EventChange[]>;
  /** The changes that are data of a person. Reads all rows of the range, so keep it short. @throws as `readItems` */
  readPersonLog(wanted: PersonLog, given_up?: AbortSignal): Promise<Change[]>;
  /** The next logged pages, of one viewer or all, by viewer and `seq`; none after the last. @throws as `readItems` */
  readShown(after: ShownPlace, of: ShownOf, given_up?: AbortSignal): Promise<ShownChange[]>;
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
  cursorSecret(): Promise<Uint8Array>;
  /** The key of the hashes of viewers in `seen`. */
  seenKey(): Promise<Uint8Array>;
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
  /** Whether there are shown pages to purge at a time in seconds. Before it, their counts have to be stored. */
  hasOldShown(now: number): Promise<boolean>;
  /** Whether there may be retired rows to purge. */
  hasRetired(): Promise<boolean>;
  /** Purges retired items while the writer runs. Stops when `stopping` aborts; the next purge continues. */
  purgeRetired(stopping: AbortSignal): Promise<void>;
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
export class OpenStore implements OpenedStore {
  readonly keys: KeyStore;
  readonly feeds: FeedStore;
  readonly seen: SeenRows;
  readonly experiment_rows: ExperimentRows;
  readonly audit: AuditStore;
  readonly checkpoints: CheckpointStore;
  private readonly timers: Timers;
  private readonly timed_reads: TimedReads;
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
  ) {
    this.timers = options.timers ?? systemTimers;
    const timed_reads = new TimedReads(connection, this.timers);
    this.timed_reads = timed_reads;
    if (options.role === 'node') {
      this.log = new SharedLog(connection, timed_reads, (visit, given) => this.replay(visit, given));
    }
    this.keys = timedKeys(connection, timed_reads, options.patience_seconds, async (uses) => {
      await this.run({ type: 'key_use', uses });
    });
    this.feeds = timedFeeds(
      connection,
      timed_reads,
      async (write) => (await this.run({ type: 'feed', write })).feed,
    );
    this.audit = {
      entries: (account, limit, offset) =>
        timed_reads.read('service', ({ db }) => auditEntries(db, account, limit, offset)),
    };
    this.checkpoints = timedCheckpoints(timed_reads, async (entry) => {
      if (this.follows) return;
      if (this.writer === undefined) await enterCheckpoint(connection.db, entry);
      else await this.run({ type: 'checkpoint', entry });
    });
    const run = (task: WriterTask) => this.run(task);
    this.seen = timedSeen(connection, timed_reads, run);
    this.experiment_rows = timedExperimentRows(timed_reads);
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

  latestTrend(): Promise<number> {
    return this.timed_reads.load(() => latestTrend(this.connection.db));
  }

  hashKey(): Promise<HashKey> {
    return this.timed_reads.load(() => storedTableHashKey(this.connection.db));
  }

  cursorSecret(): Promise<Uint8Array> {
    return this.timed_reads.load(() => storedSecret(this.connection.db, 'cursor'));
  }

  seenKey(): Promise<Uint8Array> {
    return this.timed_reads.load(() => storedSecret(this.connection.db, 'seen'));
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

  connectorCursor(connector: string): Promise<string | undefined> {
    return this.timed_reads.read('service', ({ db }) => connectorCursor(db, connector));
  }

  readItems(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, ItemContent>> {
    return this.contents('items', seqs, given_up);
  }

  readUsers(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, UserContent>> {
    return this.contents('users', seqs, given_up);
  }

  findUsers(prefix: string, given_up?: AbortSignal): Promise<FoundUser[]> {
    return this.timed_reads.read('users', ({ db }) => findUsers(db, prefix), given_up);
  }

  async readEvents(hashes: readonly number[]): Promise<EventChange[]> {
    if (hashes.length === 0) return [];
    return this.timed_reads.read('service', (reading) => readEvents(reading, hashes));
  }

  readPersonLog(wanted: PersonLog, given_up?: AbortSignal): Promise<Change[]> {
    return this.timed_reads.read('users', (reading) => readPersonLog(reading, wanted), given_up);
  }

  readShown(after: ShownPlace, of: ShownOf, given_up?: AbortSignal): Promise<ShownChange[]> {
    return this.timed_reads.read('users', (reading) => readShown(reading, after, of), given_up);
  }

  /** An empty read must not count as an answer of the server. */
  private async contents<T>(
    table: 'items' | 'users',
    seqs: readonly number[],
    given_up: AbortSignal | undefined,
  ): Promise<Map<number, T>> {
    if (seqs.length === 0) return new Map();
    return this.timed_reads.read(table, (reading) => readContents<T>(reading, table, seqs), given_up);
  }

  purge(): Promise<void> {
    return this.writer === undefined ? this.purges.unwritten() : this.purges.byWriter('erased');
  }

  stopWaiting(): void {
    this.ending.abort();
    this.writer?.applyTimeout(this.timers);
    this.timed_reads.ping();
  }

  hasRetired(): Promise<boolean> {
    return this.timed_reads.read('service', ({ db }) => hasRetired(db));
  }

  hasOldShown(now: number): Promise<boolean> {
    return this.timed_reads.read('service', ({ db }) => hasOldShown(db, now));
  }

  purgeRetired(stopping: AbortSignal): Promise<void> {
    return this.purges.byWriter('retired', stopping);
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

  private run(task: WriterTask): Promise<TaskReply> {
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
