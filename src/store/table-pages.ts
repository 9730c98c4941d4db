import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { EngineName } from './connection.ts';
import { FENCE } from './fence.ts';
import { FORMER_SEQ } from './meta.ts';
import { MOVE_MARK } from './move-mark.ts';
import type { MovedTable } from './moved-tables.ts';
import type { ReadValues } from './reading.ts';
import { requireRising } from './row-order.ts';
import type { Tables, Value } from './tables.ts';

/** Names in `meta` that belong to one place: the writer, its files, and an unfinished move. */
export const KEPT_META: readonly string[] = [FENCE, 'holder', 'checkpoint', MOVE_MARK, FORMER_SEQ];

const FIRST_PAGE_ROWS = 64;
const PAGE_ROWS_MAX = 2_000;
/** The next page has about so many bytes if its rows are as long as those of the last page. */
const PAGE_BYTES = 2_000_000;
/** Bytes that a number takes in the estimate of a row's length. */
const NUMBER_BYTES = 8;

/** A snapshot of one community's tables. */
export interface TableReader {
  db: Kysely<Tables>;
  engine: EngineName;
  read: ReadValues;
}

/** SQLite compares texts by their bytes, so PostgreSQL has to do the same. */
function keysOf({ keys, has_text_key }: MovedTable, engine: EngineName): RawBuilder<unknown> {
  const collation = engine === 'postgres' && has_text_key ? sql` collate "C"` : sql``;
  return sql.join(keys.map((key) => sql`${sql.ref(key)}${collation}`));
}

/** Whether a key comes after another one in the order of `keysOf`. */
function isAfter({ has_text_key }: MovedTable, key: readonly Value[], former: readonly Value[]): boolean {
  for (const [at, value] of key.entries()) {
    const order =
      value instanceof Uint8Array || has_text_key
        ? Buffer.compare(bytesOf(value), bytesOf(former[at]))
        : Number(value) - Number(former[at]);
    if (order !== 0) return order > 0;
  }
  return false;
}

const bytesOf = (value: Value): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(String(value));

/**
 * Reads a table in the order of its keys, in pages of bounded size.
 * @throws StartupError `data_unreadable` if its rows are out of order
 */
export async function* tablePages(
  { db, engine, read }: TableReader,
  moved: MovedTable,
): AsyncGenerator<Value[][]> {
  const { table, keys, columns } = moved;
  const order = keysOf(moved, engine);
  const kept = sql.join(KEPT_META.map((name) => sql`${name}`));
  const wanted = table === 'meta' ? sql`name not in (${kept})` : sql`1 = 1`;
  let limit = FIRST_PAGE_ROWS;
  for (let after: Value[] | undefined; ; ) {
    const later =
      after === undefined ? sql`` : sql` and (${order}) > (${sql.join(after.map((value) => sql`${value}`))})`;
    const query = sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${wanted}${later} order by ${order} limit ${sql.lit(limit)}`;
    const rows = await read(query.compile(db));
    // PostgreSQL returns 64-bit integers as text.
    if (columns[0] === 'seq') for (const row of rows) row[0] = Number(row[0]);
    const read_keys = rows.map((row) => row.slice(0, keys.length));
    requireRising(table, read_keys, after, (key, former) => isAfter(moved, key, former));
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = read_keys[read_keys.length - 1];
    limit = nextLimit(rows);
  }
}

function nextLimit(rows: readonly Value[][]): number {
  let bytes = 0;
  for (const row of rows)
    for (const value of row)
      bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : NUMBER_BYTES;
  return Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor((PAGE_BYTES * rows.length) / bytes)));
}

/** Number of rows of a table, without those of `meta` that are not moved. */
export async function countRows({ db, read }: TableReader, { table }: MovedTable): Promise<number> {
  const [[count]] = await read(sql`select count(*) from ${sql.table(table)}`.compile(db));
  return Number(count);
}

/** What both sides of a move must have in common for one table. */
export interface TableDigest {
  row_count: number;
  digest: string;
}

/** Digests rows in the order in which they are given. Equal values have equal digests on both engines. */
export class TableDigester {
  private readonly hasher = new Bun.CryptoHasher('sha256');
  private row_count = 0;

  add(rows: readonly Value[][]): void {
    this.row_count += rows.length;
    const parts = rows.map((row) => JSON.stringify(row.map(plain)));
    this.hasher.update(`${parts.join('\n')}\n`);
  }

  result(): TableDigest {
    return { row_count: this.row_count, digest: this.hasher.digest('hex') };
  }
}

/** Numbers are exact as JSON, except that SQLite and JSON drop the sign of -0. Bytes are marked by a list. */
function plain(value: Value): string | number | null | string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('base64')];
  return typeof value === 'bigint' ? Number(value) : value;
}
