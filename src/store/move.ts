import type { Transaction } from 'kysely';
import { rootReasonOf, StartupError } from '../errors.ts';
import type { CommunityName, Connection, Location, Lock } from './connection.ts';
import { behindFence, FENCE, raiseFence } from './fence.ts';
import { thisProcess } from './holder.ts';
import { HIGHEST_SEQ, metaText, removeMeta, setMetaText } from './meta.ts';
import { hasMoveMark, MOVE_MARK, requireMoved } from './move-mark.ts';
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import { lockPlace, openFirst } from './open-connection.ts';
import { noData } from './refusals.ts';
import { databaseFile, hasDatabase, prepareFolder } from './sqlite/connection.ts';
import {
  countRows,
  KEPT_META,
  type TableDigest,
  TableDigester,
  type TableReader,
  tablePages,
} from './table-pages.ts';
import type { Tables } from './tables.ts';
import { isNew, prepareTables } from './upgrade.ts';

const CONNECTIONS = 3;
const COMMAND = 'feedloom move';

export interface MoveProgress {
  rows_done: number;
  rows_total: number;
}

export interface MoveHooks {
  copied(progress: MoveProgress): void;
  /** All rows are stored, and are now read again. */
  comparing(): void;
}

interface Side {
  source: Connection;
  target: Connection;
}

/** A community whose rows are being moved. The fence proves that no other process has taken the target over. */
interface Moving extends Side {
  fence: string;
}

/** Closes what was opened, the last first. */
class Opened {
  private readonly closings: (() => Promise<void>)[] = [];

  async add<T>(opening: Promise<T>, close: (opened: T) => Promise<void>): Promise<T> {
    const opened = await opening;
    this.closings.push(() => close(opened));
    return opened;
  }

  async close(): Promise<void> {
    for (const close of this.closings.reverse()) await close().catch(() => {});
  }
}

/**
 * Copies all data of both communities to another place, and compares both sides. The source does not change.
 *
 * The target is marked as unfinished before its first row and until all rows were compared.
 * @returns the number of moved rows
 * @throws StartupError `data_in_use`, `no_data`, `data_outdated`, `data_newer`, `data_foreign`, `move_unfinished` (the
 * source is the target of another move), `target_not_empty`, `move_failed`; errors of opening
 */
export async function moveData(from: Location, to: Location, hooks: MoveHooks): Promise<number> {
  const opened = new Opened();
  try {
    if (from.database_url === undefined && !hasDatabase(from.data)) throw noData(from);
    await opened.add(lock(from), (held) => held.release());
    const source = await openSource(opened, from, 'content');
    if (source === undefined) throw noData(from);
    const wallets = await openSource(opened, from, 'wallets');
    if (to.database_url === undefined) prepareFolder(to.data);
    const target_lock = await opened.add(lock(to), (held) => held.release());
    const target = await openTarget(opened, to, 'content');
    const sides: Side[] = [{ source, target }];
    if (wallets !== undefined)
      sides.push({ source: wallets, target: await walletsTarget(opened, to, target) });
    else if ((await openExisting(opened, to, 'wallets')) !== undefined) throw notEmpty(to, 'wallets');
    await target_lock.announce();
    return await moved(sides, hooks);
  } finally {
    await opened.close();
  }
}

function lock(place: Location): Promise<Lock> {
  return lockPlace(place, thisProcess({ command: COMMAND }));
}

function open(opened: Opened, place: Location, community: CommunityName): Promise<Connection> {
  return opened.add(openFirst({ ...place, community }, CONNECTIONS), (connection) => connection.close());
}

async function openExisting(
  opened: Opened,
  place: Location,
  community: CommunityName,
): Promise<Connection | undefined> {
  if (place.database_url === undefined && !hasDatabase(place.data, community)) return undefined;
  const connection = await open(opened, place, community);
  return (await isNew(connection)) ? undefined : connection;
}

async function openSource(
  opened: Opened,
  from: Location,
  community: CommunityName,
): Promise<Connection | undefined> {
  const connection = await openExisting(opened, from, community);
  if (connection === undefined) return undefined;
  await prepareTables(connection, false, false);
  await requireMoved(connection.db);
  return connection;
}

async function openTarget(opened: Opened, to: Location, community: CommunityName): Promise<Connection> {
  const connection = await open(opened, to, community);
  const is_new = await isNew(connection);
  await prepareTables(connection, is_new, false);
  if (is_new || (await hasMoveMark(connection.db))) return connection;
  for (const { table } of MOVED_TABLES) {
    if (table === 'meta') continue;
    const row = await connection.db
      .selectFrom(table)
      .select(({ lit }) => lit(1).as('one'))
      .limit(1)
      .execute();
    if (row.length === 0) continue;
    throw notEmpty(to, community);
  }
  return connection;
}

async function walletsTarget(opened: Opened, to: Location, content: Connection): Promise<Connection> {
  const refusal = await content.walletsRefusal();
  if (refusal !== undefined) throw refusal;
  return openTarget(opened, to, 'wallets');
}

function notEmpty({ data, database_url }: Location, community: CommunityName): StartupError {
  const where =
    database_url === undefined ? `'${databaseFile(data, community)}'` : 'that PostgreSQL database';
  const what = community === 'wallets' ? 'wallets' : 'data of feedloom';
  return new StartupError(
    'target_not_empty',
    `there is already ${what} in ${where}`,
    'name an empty folder or database with --to',
  );
}

async function moved(sides: readonly Side[], hooks: MoveHooks): Promise<number> {
  try {
    const moving: Moving[] = [];
    for (const side of sides) moving.push({ ...side, fence: await begin(side.target) });
    let rows = 0;
    for (const side of moving) rows += await copied(side, hooks);
    // Content comes last, because its mark is the one that a start looks at first.
    for (const { target, fence } of moving.toReversed())
      await behindFence(target, fence, (transaction) => removeMeta(transaction, MOVE_MARK));
    return rows;
  } catch (error) {
    const known = sides.map(({ target }) => target.refusal(error)).find((refusal) => refusal !== undefined);
    throw new StartupError(
      'move_failed',
      `the move was interrupted (${known?.message ?? rootReasonOf(error)})`,
      'the source is unchanged, the target is incomplete; fix the cause and run the same command again',
    );
  }
}

/** Marks the target and removes the rows of an earlier attempt. */
async function begin(target: Connection): Promise<string> {
  const fence = await raiseFence(target, { mayTake: numbered });
  await behindFence(target, fence, (transaction) =>
    setMetaText(transaction, MOVE_MARK, 'from another place'),
  );
  await behindFence(target, fence, async (transaction) => {
    const tables = MOVED_TABLES.map(({ table }) => table).filter((table) => table !== 'meta');
    await target.emptyTables(transaction, tables);
    await transaction.deleteFrom('meta').where('name', 'not in', KEPT_META).execute();
  });
  return fence;
}

/** An interrupted attempt has removed the number that all data has. */
async function numbered(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .insertInto('meta')
    .values({ name: HIGHEST_SEQ, value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Copies one community from a snapshot, then reads the target again. Returns the number of rows. */
async function copied(side: Moving, hooks: MoveHooks): Promise<number> {
  const { source, target } = side;
  const before = await positionOf(source);
  const { digests, rows } = await source.snapshot((read) =>
    written(side, { db: source.db, engine: source.engine, read }, hooks),
  );
  if ((await positionOf(source)) !== before) throw new Error('another process changed the source meanwhile');
  hooks.comparing();
  await target.snapshot((read) => compare({ db: target.db, engine: target.engine, read }, digests));
  return rows;
}

/** Text that changes when another process takes the data over or writes changes. */
async function positionOf({ db }: Connection): Promise<string> {
  return `${await metaText(db, FENCE)} ${await metaText(db, HIGHEST_SEQ)}`;
}

async function written(
  { target, fence }: Moving,
  reader: TableReader,
  { copied }: MoveHooks,
): Promise<{ digests: Map<MovedTable, TableDigest>; rows: number }> {
  let rows_total = 0;
  for (const moved of MOVED_TABLES) rows_total += await countRows(reader, moved);
  const digests = new Map<MovedTable, TableDigest>();
  let rows_done = 0;
  for (const moved of MOVED_TABLES) {
    const digester = new TableDigester();
    for await (const page of tablePages(reader, moved)) {
      digester.add(page);
      await behindFence(target, fence, (transaction) => target.insertRows(transaction, moved, page));
      rows_done += page.length;
      copied({ rows_done, rows_total });
    }
    digests.set(moved, digester.result());
  }
  return { digests, rows: rows_done };
}

async function compare(reader: TableReader, expected: ReadonlyMap<MovedTable, TableDigest>): Promise<void> {
  for (const [moved, { row_count, digest }] of expected) {
    const digester = new TableDigester();
    for await (const page of tablePages(reader, moved)) digester.add(page);
    const found = digester.result();
    if (found.row_count === row_count && found.digest === digest) continue;
    throw new Error(
      `the table '${moved.table}' differs: ${row_count} rows at the source, ${found.row_count} at the target`,
    );
  }
}
