import { monotonicMs as machineMs, systemTimers, type Timers } from '../clock.ts';
import { ServiceError, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change, EventChange, ItemContent, Key, UserContent } from '../state/change.ts';
import type { HashKey } from '../state/keyed-hash.ts';
import { untilStopped } from '../until-stopped.ts';
import { type AuditStore, auditEntries } from './audit.ts';
import { type Learning, writeBackup } from './backup.ts';
import { type CheckpointBook, enterCheckpoint } from './checkpoint-book.ts';
import type { CommunityName, Connection, EngineName, Location, Lock } from './connection.ts';
import { readContents, readEvents } from './contents.ts';
import { type FeedStore, feedStore } from './feeds.ts';
import { hashKey } from './hash-key.ts';
import { heardCheckpoints, heardKeys } from './heard.ts';
import { Hearing } from './hearing.ts';
import { type ImportMark, readImportMark } from './import-mark.ts';
import type { KeyStore } from './keys.ts';
import type { Lane } from './lanes.ts';
import type { Errand, ErrandReply } from './messages.ts';
import { hasRetired } from './purge-retired.ts';
import { Purges } from './purges.ts';
import { failed, silent } from './refusals.ts';
import { type Replayed, type ReplayOptions, replay } from './replay.ts';
import type { SeqRange } from './row-reader.ts';
import type { StoredChanges } from './stored-changes.ts';
import { latestTrend } from './trends.ts';
import { readUserLog, type UserChange } from './user-log.ts';
import { Writer, type WriterHooks } from './writer.ts';

export interface StoreOptions {
  /** Folder of the embedded database; created when absent. */
  data: string;
  /** `postgres://…`: wins over `data`. */
  database_url?: string;
  /** Whose data; default content, with which all other data of this place is locked, too. */
  community?: CommunityName;
  /** Records that may wait for the store. */
  write_queue: number;
  /** `serve` (or import) holds the data exclusively; `beside` only reads changes and manages keys. */
  role: 'serve' | 'beside';
  /** Data that is not there is refused instead of created. */
  must_exist?: boolean;
  /** Files are imported and nothing else: one that was broken off may go on, see `ImportMark`. */
  imports?: boolean;
  /** The command, as the next process that wants the data is told. */
  command: string;
  /** Ends opening and the start of the writer when it is aborted. */
  stopping?: AbortSignal;
  /** For how long opening and keys wait for others who write; default `store_patience_seconds`. */
  patience_seconds?: number;
  /** What waiting and watching go by; default the machine's. */
  timers?: Timers;
  monotonicMs?(): number;
}

/** Everything durable: changes, keys, accounts. */
export interface Store extends StoredChanges {
  readonly engine: EngineName | 'memory';
  /**
   * Once, after replay and before the first `submit`; role `serve` only.
   * @throws StartupError `data_taken_over` (also when there is more in the data than was replayed), `writer_failed`; what
   * `stopping` is aborted with
   */
  startWriter(hooks: WriterHooks): Promise<void>;
  /** Nothing is written any more until the data is opened again; the hooks of the writer were told why. */
  readonly is_stopped: boolean;
  /** It has not answered for long, and neither read nor written until it does: both are refused. */
  readonly is_silent: boolean;
  /** See `Writer.submit`; in the lane `bulk`, and a record a change, unless said otherwise. */
  submit(changes: Change[], lane?: Lane, records?: number): Promise<void>;
  /** Records that wait for the store or are on their way to it. */
  readonly queued_records: number;
  /**
   * Stored versions by `seq`; those that are gone are left out. Costs a look-up by primary key each.
   * @param given_up aborted when nobody waits for them any more: what still waits for a connection is not read
   * @throws ServiceError `store_unavailable`; the reason of `given_up`
   */
  readItems(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, ItemContent>>;
  readUsers(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, UserContent>>;
  /**
   * What is stored of named events with these hashes, in order of `seq`; others may share a hash.
   * @throws ServiceError `store_unavailable`
   */
  readEvents(hashes: readonly number[]): Promise<EventChange[]>;
  /**
   * What a user did and was shown, as stored, in a range of `seq`: reads all rows of the range, which should be short.
   * @throws as `readItems`
   */
  readUserLog(user: Key, range: SeqRange, given_up?: AbortSignal): Promise<UserChange[]>;
  readonly keys: KeyStore;
  readonly feeds: FeedStore;
  /** Who changed which feed or key. */
  readonly audit: AuditStore;
  /** Undefined where data ends with its process. */
  readonly checkpoints: CheckpointBook | undefined;
  readonly import_mark: ImportMark;
  /**
   * Removes what erasures and deletions have left in the tables since the last time; nothing to do when there
   * were none. Reads whole tables, in steps between which the writer goes on.
   * @throws ServiceError `store_unavailable`, `shutting_down`; StillNeeded when readers keep what was removed from
   * being freed. The next purge begins anew.
   */
  purge(): Promise<void>;
  /** From now on nobody waits for a store that has fallen silent, and no purge for readers: the process is to end. */
  hurry(): void;
  /** Whether anything was retired that a purge might have to do with. */
  hasRetired(): Promise<boolean>;
  /**
   * The same of what retirements have left, once the writer runs; breaks off when it is told to stop, and the
   * next one goes on.
   */
  purgeRetired(stopping: AbortSignal): Promise<void>;
  /** Why wallets could not be kept beside it; undefined: they could. @throws StartupError */
  walletsRefusal(): Promise<StartupError | undefined>;
  /** See `writeBackup`. @param folder where it goes, under the name that it has in a data folder */
  backup(folder: string, learn: Learning): Promise<void>;
  /** Waits for the queue to drain, then lets go of everything. */
  close(): Promise<void>;
}

/** A store whose data outlasts its process. */
export interface OpenedStore extends Store {
  /** Whether there was no data before. */
  readonly is_new: boolean;
  /** What to tell the operator of an error that the data gave. */
  explained(error: unknown): ServiceError | StartupError;
}

/** What a store has that may write. */
interface Held {
  /** See `raiseFence`. */
  fence: string;
  /** Absent where another community's covers it. */
  lock: Lock | undefined;
}

/** What `openStore` opens. */
export class OpenStore implements OpenedStore {
  readonly keys: KeyStore;
  readonly feeds: FeedStore;
  readonly audit: AuditStore;
  readonly checkpoints: CheckpointBook;
  readonly import_mark: ImportMark;
  private readonly timers: Timers;
  private readonly hearing: Hearing;
  private writer: Writer | undefined;
  /** The last `seq` that was there at the last replay. */
  private replayed_seq = 0;
  private stop_reason: Error | undefined;
  private readonly hurried = new AbortController();
  private readonly purges: Purges;

  constructor(
    private readonly options: StoreOptions,
    private readonly connection: Connection,
    private readonly held: Held | undefined,
    readonly is_new: boolean,
  ) {
    this.timers = options.timers ?? systemTimers;
    const hearing = new Hearing(connection, this.timers);
    this.hearing = hearing;
    this.keys = heardKeys(connection, hearing, options.patience_seconds, async (uses) => {
      await this.run({ type: 'key_use', uses });
    });
    const feeds = feedStore(connection.db, async (write) => (await this.run({ type: 'feed', write })).feed);
    this.feeds = { ...feeds, all: () => hearing.load(feeds.all) };
    this.audit = {
      entries: (account, limit, offset) =>
        hearing.read('service', ({ db }) => auditEntries(db, account, limit, offset)),
    };
    this.checkpoints = heardCheckpoints(hearing, async (entry) => {
      if (this.writer === undefined) await enterCheckpoint(connection.db, entry);
      else await this.run({ type: 'checkpoint', entry });
    });
    const run = (errand: Errand) => this.run(errand);
    this.purges = new Purges({ connection, timers: this.timers, hurried: this.hurried.signal, run });
    this.import_mark = {
      read: () => hearing.read('service', ({ db }) => readImportMark(db)),
      write: async (applied_at) => void (await this.run({ type: 'import_mark', applied_at })),
    };
  }

  /** For other threads. */
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

  get is_silent(): boolean {
    return this.hearing.is_silent || (this.writer?.is_silent ?? false);
  }

  /** Lets a writer write nothing any more, also one that is yet to start. */
  stop(reason: Error): void {
    this.stop_reason = reason;
    this.writer?.stop(reason);
  }

  async replay(
    visit: (change: Change) => void,
    options: Omit<ReplayOptions, 'apart'> = {},
  ): Promise<Replayed> {
    const { connection, hearing, location } = this;
    const replayed = await replay(connection, visit, { ...options, hearing, apart: { location } });
    this.replayed_seq = replayed.highest_seq;
    return replayed;
  }

  latestTrend(): Promise<number> {
    return this.hearing.load(() => latestTrend(this.connection.db));
  }

  hashKey(): Promise<HashKey> {
    return this.hearing.load(() => hashKey(this.connection.db));
  }

  async startWriter(hooks: WriterHooks): Promise<void> {
    if (this.held === undefined) throw new Error('a store opened beside another process cannot write');
    if (this.writer !== undefined) throw new Error('the writer runs already');
    const { fence } = this.held;
    const { monotonicMs = machineMs } = this.options;
    // The embedded database takes as long as it takes; a connection to a server may die without a word.
    const patience =
      this.engine === 'sqlite' ? undefined : { seconds: LIMITS.store_patience_seconds, monotonicMs };
    const start = { location: this.location, fence, highest_seq: this.replayed_seq, patience };
    const starting = Writer.start(start, hooks, this.options.write_queue);
    this.writer = await untilStopped(starting, this.options.stopping, (writer) => writer.close());
    if (this.stop_reason !== undefined) this.writer.stop(this.stop_reason);
  }

  submit(changes: Change[], lane: Lane = 'bulk', records = changes.length): Promise<void> {
    if (this.writer === undefined) return Promise.reject(new Error('submit before startWriter'));
    return this.writer.submit(changes, lane, records);
  }

  readItems(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, ItemContent>> {
    return this.contents('items', seqs, given_up);
  }

  readUsers(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, UserContent>> {
    return this.contents('users', seqs, given_up);
  }

  async readEvents(hashes: readonly number[]): Promise<EventChange[]> {
    if (hashes.length === 0) return [];
    return this.hearing.read('service', (reading) => readEvents(reading, hashes));
  }

  readUserLog(user: Key, range: SeqRange, given_up?: AbortSignal): Promise<UserChange[]> {
    return this.hearing.read('users', (reading) => readUserLog(reading, user, range), given_up);
  }

  /** What nobody is asked for is no answer of the server either. */
  private async contents<T>(
    table: 'items' | 'users',
    seqs: readonly number[],
    given_up: AbortSignal | undefined,
  ): Promise<Map<number, T>> {
    if (seqs.length === 0) return new Map();
    return this.hearing.read(table, (reading) => readContents<T>(reading, table, seqs), given_up);
  }

  purge(): Promise<void> {
    return this.writer === undefined ? this.purges.unwritten() : this.purges.byWriter('erased');
  }

  hurry(): void {
    this.hurried.abort();
    this.writer?.hurry(this.timers);
    this.hearing.look();
  }

  hasRetired(): Promise<boolean> {
    return this.hearing.read('service', ({ db }) => hasRetired(db));
  }

  purgeRetired(stopping: AbortSignal): Promise<void> {
    return this.purges.byWriter('retired', stopping);
  }

  backup(folder: string, learn: Learning): Promise<void> {
    const { community } = this.options;
    return writeBackup(this.connection, { data: folder, community }, learn);
  }

  walletsRefusal(): Promise<StartupError | undefined> {
    return this.hearing.load(() => this.connection.walletsRefusal());
  }

  explained(error: unknown): ServiceError | StartupError {
    if (error instanceof ServiceError || error instanceof StartupError) return error;
    return this.connection.refusal(error) ?? failed(error);
  }

  private run(errand: Errand): Promise<ErrandReply> {
    if (this.writer === undefined) return Promise.reject(new Error('a write before startWriter'));
    if (this.is_silent) return Promise.reject(silent());
    return this.writer.run(errand);
  }

  async close(): Promise<void> {
    await this.writer?.close();
    this.hearing.end();
    await this.connection.close();
    await this.held?.lock?.release();
  }
}
