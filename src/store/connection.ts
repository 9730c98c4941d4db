import type { Transaction } from 'kysely';
import type { StartupError } from '../errors.ts';
import type { Batch } from './batch.ts';
import type { Reading, ReadValues } from './reading.ts';
import type { Server } from './server.ts';
import type { Tables } from './tables.ts';

export type EngineName = 'sqlite' | 'postgres';

/** Two communities may share a folder or database; each has tables of its own. */
export type CommunityName = 'content' | 'wallets';

/** Where the data is: a folder for SQLite, or a URL that wins over it. */
export interface Location {
  data: string;
  database_url?: string;
  /** Whose; default content. */
  community?: CommunityName;
}

/**
 * What the two engines do differently; everything else in this room is written once, in Kysely.
 * `sqlite/` and `postgres/` hold the same set of files.
 */
export interface Connection extends Reading {
  readonly engine: EngineName;
  /** Where its tables are, when that is not where tables are created anyway. */
  readonly schema: string | undefined;
  /** Runs `work` on one unchanging view of the data, whatever is written meanwhile. */
  snapshot<T>(work: (read: ReadValues) => Promise<T>): Promise<T>;
  /**
   * Makes writing transactions wait for each other, so that `seq` order is the order of commits.
   * @param patience_seconds for how long at most; absent: as long as it takes
   * @throws StartupError `data_in_use` when that was not long enough, naming who writes
   */
  lockWrites(transaction: Transaction<Tables>, patience_seconds?: number): Promise<void>;
  /** Appends the rows of `batch` within `transaction`. */
  insertBatch(transaction: Transaction<Tables>, batch: Batch): Promise<void>;
  /** Sweeping keeps no writer waiting when another connection does it. */
  readonly sweeps_apart: boolean;
  /**
   * After a purge: what makes the freed bytes really go. Not within a transaction. To be called until it says true;
   * false: somebody else's reading was in the way.
   */
  sweeper(): () => Promise<boolean>;
  /**
   * What to tell the operator of an error of which more is known than its reason: the disk is full, writing is not allowed,
   * the server is gone. Undefined of others.
   */
  refusal(error: unknown): StartupError | undefined;
  /** Why wallets could not be given a place there; undefined: they could, or have one. */
  walletsRefusal(): Promise<StartupError | undefined>;
  /** Absent where the data is in files: they always answer. */
  readonly server?: Server;
  /**
   * Writes everything as it is at one moment into a new file, also what is yet to be purged.
   * @throws StartupError `backup_failed` where another tool does it better
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** What a lock is watched for. */
export interface Watch {
  /** See `raiseFence`: as long as it stands, nobody has taken the data over. */
  fence: string;
  /** Somebody has, while the lock was lost; the lock is given up. */
  onTaken(): void;
}

/** The exclusive right to write changes; the operating system or the server drops it with the process. */
export interface Lock {
  /** Leaves the holder's name where a refused process finds it; once the tables are there. */
  announce(): Promise<void>;
  /** From now on it is taken again when it was lost. */
  watch(watch: Watch): void;
  release(): Promise<void>;
}

/** Who holds the lock, as shown to whoever is refused. */
export interface Holder {
  pid: number;
  command: string;
  /** ISO 8601 */
  since: string;
}
