import type { Kysely, Transaction } from 'kysely';
import type { StartupError } from '../errors.ts';
import type { SeenWrite } from '../seen/seen-store.ts';
import type { Batch } from './batch.ts';
import type { MovedTable } from './moved-tables.ts';
import type { Reading, ReadValues } from './reading.ts';
import type { Server } from './server.ts';
import type { Tables, Value } from './tables.ts';

export type EngineName = 'sqlite' | 'postgres';

/** Two communities may share a folder or database. Each has its own tables. */
export type CommunityName = 'content' | 'wallets';

/** The location of the data: a folder for SQLite, or a database URL, which takes precedence. */
export interface Location {
  data: string;
  database_url?: string;
  /** Default: content. */
  community?: CommunityName;
}

/**
 * The differences between the two engines.
 *
 * All other code in this room is written once, with Kysely. `sqlite/` and `postgres/` have the same set of files.
 */
export interface Connection extends Reading {
  readonly engine: EngineName;
  /** The schema of the tables, if it is not the default schema. */
  readonly schema: string | undefined;
  /** Runs `work` on a consistent snapshot of the data. */
  snapshot<T>(work: (read: ReadValues) => Promise<T>): Promise<T>;
  /**
   * Serialises writing transactions, so that the order of `seq` is the order of commits.
   * @param patience_seconds maximum wait; without it the wait is unlimited
   * @throws StartupError `data_in_use` after that time, naming the writing session
   */
  lockWrites(transaction: Transaction<Tables>, patience_seconds?: number): Promise<void>;
  /** Appends the rows of `batch` within `transaction`. */
  insertBatch(transaction: Transaction<Tables>, batch: Batch): Promise<void>;
  insertRows(transaction: Transaction<Tables>, table: MovedTable, rows: readonly Value[][]): Promise<void>;
  /** Removes all rows of tables within `transaction`. Tables come after those that they refer to. */
  emptyTables(transaction: Transaction<Tables>, tables: readonly (keyof Tables)[]): Promise<void>;
  /** See `SeenStore.write`. On SQLite within the open transaction of `db`, on PostgreSQL in one of its own. */
  writeSeen(db: Kysely<Tables>, writes: readonly SeenWrite[]): Promise<string[]>;
  /** Whether sweeping through another connection does not block the writer. */
  readonly sweeps_concurrently: boolean;
  /**
   * Makes a function that frees the bytes of purged rows.
   *
   * Call it outside of transactions until it returns true. False means that another reader still needs them.
   */
  sweeper(): () => Promise<boolean>;
  /** Bytes of the write-ahead log, which grows while a transaction reads. Undefined for a server, which has its own. */
  logBytes(): number | undefined;
  /** Empties the write-ahead log outside of transactions, without waiting. False if a reader needs it. */
  shrinkLog(): boolean;
  /** The error for the operator, if the cause is known: full disk, missing rights, lost server. Undefined otherwise. */
  refusal(error: unknown): StartupError | undefined;
  /** Why tables for wallets cannot be created here; undefined if they can or exist. */
  walletsRefusal(): Promise<StartupError | undefined>;
  /** Absent for SQLite, whose files always answer. */
  readonly server?: Server;
  /**
   * Writes a consistent copy to a new file, including rows that are not purged yet.
   * @throws StartupError `backup_failed` if the engine has a better tool
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** What a lock checks while it is held. */
export interface Watch {
  /** See `raiseFence`. While it is unchanged, no other process has taken over the data. */
  fence: string;
  /** Called when another process took over the data while the lock was lost. The lock is then given up. */
  onTaken(): void;
}

/** The exclusive right to write changes. The operating system or the server releases it when the process ends. */
export interface Lock {
  /** Publishes the holder's name for processes that are refused. Needs the tables. */
  announce(): Promise<void>;
  /** Starts to reacquire the lock whenever it is lost. */
  watch(watch: Watch): void;
  release(): Promise<void>;
}

/** The fence and the lock of a store that may write. */
export interface WriteAccess {
  /** See `raiseFence`. Absent while a node does not lead. */
  fence?: string;
  /** Absent if the lock of another community covers this store. */
  lock: Lock | undefined;
}

export interface Holder {
  pid: number;
  command: string;
  /** ISO 8601 */
  since: string;
  /** `http://host:port`. Absent: it answers no requests. */
  address?: string;
}
