import { type CheckpointEntry, checkpointEntry, DATABASE_ID } from './checkpoint-store.ts';
import type { CommunityName, Connection, Holder } from './connection.ts';
import { latestRow } from './latest.ts';
import { highestSeq, metaText } from './meta.ts';
import { requireMoved } from './move-mark.ts';
import { SEEN_FORMAT } from './seen.ts';
import { isCurrent, isNew } from './upgrade.ts';

/** What can be seen of the data without changing it, beside a running service. */
export type Inspection = SqliteInspection | PostgresInspection;

interface Inspected {
  /** The process that serves the data or imports into it. */
  holder: Holder | undefined;
  /** Communities that have data. */
  communities: InspectedCommunity[];
}

export interface InspectedCommunity {
  community: CommunityName;
  /** False if an older version wrote the data. Then nothing else was read. */
  is_current: boolean;
  /** Time of the latest stored change. Undefined if nothing was ever stored. */
  last_applied_at: number | undefined;
  last_seq: number;
  /** The highest `seq` that the data has assigned. Later rows would not be read. */
  highest_seq: number;
  checkpoint: CheckpointEntry | undefined;
  database_id: string;
  /** See `SEEN_FORMAT`. */
  seen_format: string;
}

export interface SqliteInspection extends Inspected {
  engine: 'sqlite';
  version: string;
  files: InspectedFile[];
}

export interface InspectedFile {
  file: string;
  bytes: number;
  log_bytes: number;
  /** The file replaced another one, whose log is still there. Nothing of it was read then. */
  has_former_log: boolean;
  journal_mode: string;
  /** What SQLite finds damaged. Undefined if the file was not checked. */
  damage: string[] | undefined;
}

export interface PostgresInspection extends Inspected {
  engine: 'postgres';
  /** Such as `18.4`, and `180004`. */
  version: string;
  version_number: number;
  encoding: string;
  synchronous_commit: string;
  /** Connections that roles without special rights may open, and those that clients have open. */
  connections_max: number;
  connections_open: number;
  /** How far the server's clock is ahead of this machine's. */
  clock_ahead_seconds: number;
}

/**
 * Reads what both engines keep in the same tables. Undefined if there are none yet.
 * @throws StartupError `data_foreign`, `data_newer`, `move_unfinished`
 */
export async function inspectCommunity(
  connection: Pick<Connection, 'db' | 'engine' | 'schema'>,
  community: CommunityName,
): Promise<InspectedCommunity | undefined> {
  if (await isNew(connection)) return undefined;
  if (!(await isCurrent(connection)))
    return {
      community,
      is_current: false,
      last_applied_at: undefined,
      last_seq: 0,
      highest_seq: 0,
      checkpoint: undefined,
      database_id: '',
      seen_format: '',
    };
  const { db } = connection;
  await requireMoved(db);
  const last = await latestRow(db);
  return {
    community,
    is_current: true,
    last_applied_at: last?.applied_at,
    last_seq: last?.seq ?? 0,
    highest_seq: await highestSeq(db),
    checkpoint: await checkpointEntry(db),
    database_id: (await metaText(db, DATABASE_ID)) ?? '',
    seen_format: (await metaText(db, SEEN_FORMAT.name)) ?? '',
  };
}
