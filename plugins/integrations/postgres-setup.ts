/** The publication and the slot: what is missing, and making it. */
import type { ConnectorHost } from 'feedloom/plugin';
import type { Client } from 'pg';
import { numberOf, type Position, positionOf } from './postgres-cursor.ts';
import type { Options } from './postgres-options.ts';
import { type MappedTable, quoted } from './postgres-tables.ts';

const RETRY_MS = 200;
/** A slot is usually made at once. */
const WAITING_MS = 1_000;
/** The topic of the warning while the slot or the copy waits. */
export const WAITING = 'transactions';

export interface Names {
  slot: string;
  publication: string;
}

export type PublicationOptions = Pick<Options, 'publication' | 'truncate'>;

export interface Slot {
  /** Changes up to here were confirmed. Null while it is made. */
  confirmed_flush_lsn: string | null;
  wal_status: string | null;
  active_pid: number | null;
  plugin: string;
  database: string;
  is_own_database: boolean;
  /** Bytes of log that the server keeps for it. */
  behind: number;
}

const SLOT = `select confirmed_flush_lsn, wal_status, active_pid, plugin, database, database = current_database() as is_own_database,
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, restart_lsn)::float8 as behind
  from pg_replication_slots where slot_name = $1`;

export async function slotOf(client: Client, slot: string): Promise<Slot | undefined> {
  return (await client.query<Slot>(SLOT, [slot])).rows[0];
}

/** The tables that the publication does not have, and the SQL that makes or completes it. */
export async function missingIn(
  client: Client,
  { publication, truncate }: PublicationOptions,
  mapped: readonly MappedTable[],
): Promise<{ missing: MappedTable[]; sql: string[] }> {
  const known = 'select pubtruncate from pg_publication where pubname = $1';
  const [made] = (await client.query<{ pubtruncate: boolean }>(known, [publication])).rows;
  const published = `select schemaname || '.' || tablename as name from pg_publication_tables where pubname = $1`;
  const { rows } = await client.query<{ name: string }>(published, [publication]);
  const there = new Set(rows.map(({ name }) => name));
  const missing = mapped.filter(({ table }) => !there.has(table.name));
  const alter = `alter publication ${quoted(publication)}`;
  const lacks_truncate = truncate === 'delete' && made?.pubtruncate === false;
  const more = lacks_truncate ? [`${alter} set (publish = 'insert, update, delete, truncate')`] : [];
  if (missing.length === 0) return { missing, sql: more };
  const list = [...new Set(missing.map(({ table }) => table.sql))].join(', ');
  const add =
    made === undefined
      ? `create publication ${quoted(publication)} for table ${list} with (publish_via_partition_root = true)`
      : `${alter} add table ${list}`;
  return { missing, sql: [add, ...more] };
}

export const slotSql = ({ slot }: Names): string =>
  `select pg_create_logical_replication_slot('${slot}', 'pgoutput')`;

/** Why the server cannot replicate, and what mends it. */
export async function serverLacks(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ wal_level: string; version: number }>(
    `select current_setting('wal_level') as wal_level, current_setting('server_version_num')::int as version`,
  );
  const [{ wal_level, version }] = rows;
  return [
    ...(version < 140_000 ? ['PostgreSQL 14 or later is needed'] : []),
    ...(wal_level === 'logical'
      ? []
      : [`wal_level is ${wal_level}: alter system set wal_level = 'logical', and restart the server`]),
  ];
}

/** Waits until the transactions that run now have ended: their rows are in the copy, or their changes in the log. */
export async function untilOthersEnd(client: Client, host: ConnectorHost): Promise<void> {
  const { rows } = await client.query<{ until: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as until',
  );
  const ended = 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended';
  for (;;) {
    const [row] = (await client.query<{ ended: boolean }>(ended, [rows[0].until])).rows;
    host.warning(
      WAITING,
      row.ended ? undefined : 'the copy waits for the end of transactions that are older',
    );
    if (row.ended) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    host.signal.throwIfAborted();
  }
}

/**
 * Makes the slot if it is missing, and finds the position from which on changes are read.
 * @throws Error that names the SQL to run, if the role may not do it
 */
export async function openPosition(client: Client, names: Names, host: ConnectorHost): Promise<Position> {
  const stored = host.cursor === undefined ? undefined : positionOf(host.cursor);
  const found = await slotOf(client, names.slot);
  if (found !== undefined && !(found.plugin === 'pgoutput' && found.is_own_database))
    throw new Error(
      `the slot ${names.slot} belongs to something else; name another one with the option slot`,
    );
  const gap = stored && gapOf(found, stored);
  if (stored !== undefined && gap === undefined) return stored;
  if (found?.wal_status === 'lost') await execute(client, `select pg_drop_replication_slot('${names.slot}')`);
  const slot = found?.wal_status === 'lost' ? undefined : found;
  if (slot === undefined) await makeSlot(client, names, host);
  if (gap !== undefined)
    host.warning(
      'slot',
      `the slot ${names.slot} ${gap}: all tables are copied again, but rows that were deleted meanwhile stay`,
    );
  const made = slot ?? (await slotOf(client, names.slot));
  if (made?.confirmed_flush_lsn == null) throw new Error(`the slot ${names.slot} is still being made`);
  return { lsn: made.confirmed_flush_lsn, copied: [] };
}

async function makeSlot(client: Client, names: Names, host: ConnectorHost): Promise<void> {
  const waits = () => host.warning(WAITING, 'the slot waits for the end of transactions that are older');
  const timer = setTimeout(waits, WAITING_MS);
  try {
    await execute(client, slotSql(names));
  } finally {
    clearTimeout(timer);
  }
  host.warning(WAITING);
}

/** Why changes behind the stored position are missing; undefined if they are not. */
function gapOf(slot: Slot | undefined, { lsn }: Position): string | undefined {
  if (slot === undefined) return 'was dropped';
  if (slot.wal_status === 'lost')
    return 'has lost its log, as the server keeps no more (max_slot_wal_keep_size)';
  const { confirmed_flush_lsn } = slot;
  if (confirmed_flush_lsn !== null && numberOf(confirmed_flush_lsn) > numberOf(lsn))
    return `was read further than what is stored here (${lsn})`;
  return undefined;
}

export async function execute(client: Client, sql: string): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}; run what feedloom connect-postgres --print-sql prints (here: ${sql})`);
  }
}
