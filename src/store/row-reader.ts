import { sql } from 'kysely';
import { type BadRow, badRowOf } from './bad-rows.ts';
import { columnsOf } from './batch.ts';
import type { Connection } from './connection.ts';
import type { ReadValues } from './reading.ts';
import { requireRising } from './row-order.ts';
import { columnNames, numberOf, type Rows } from './rows.ts';
import { CHANGE_TABLES, type ChangeTable, LIST_TYPES, type Value } from './tables.ts';

/** Maximum rows per read of tables with small rows, and of tables whose rows may be large. */
const ROWS_READ = 20_000;
const LARGE_ROWS_READ = 2_000;
/** Rows of the first read. The number doubles while rows stay as small as the last ones. */
const FIRST_READ = 64;
/** Bytes or characters per read, estimated from the previous rows. A chunk has at most one row more. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/** The rows to read: those with `seq` above `after`, up to and including `until`. */
export interface SeqRange {
  after: number;
  until: number;
}

/** Some rows of a table, in order of `seq`. */
export interface Chunk {
  rows: Rows;
  /** Damaged rows, which are left out of `rows`. */
  unreadable: BadRow[];
  /** Whether the table has no further rows. */
  is_last: boolean;
}

/** A source of rows of the change tables, a chunk at a time. */
export interface ChunkSource {
  /** The next rows of the table with this index in `CHANGE_TABLES`. Not allowed after the last chunk. */
  next(table: number): Promise<Chunk>;
}

interface Place {
  after: number;
  rows: Value[][];
  /** The index of the first row that was not returned yet. */
  at: number;
  limit: number;
  /** Whether the table has no rows after `rows`. */
  ended: boolean;
}

/** Reads chunks on the calling thread. */
export class RowReader implements ChunkSource {
  private readonly places: Place[];

  constructor(
    private readonly db: Connection['db'],
    private readonly read: ReadValues,
    private readonly range: SeqRange,
    private readonly chunk_bytes = CHUNK_BYTES,
  ) {
    this.places = CHANGE_TABLES.map(() => ({
      after: range.after,
      rows: [],
      at: 0,
      limit: FIRST_READ,
      ended: false,
    }));
  }

  async next(index: number): Promise<Chunk> {
    const table = CHANGE_TABLES[index];
    const place = this.places[index];
    if (place.at === place.rows.length) await this.readOn(table, place);
    const { rows, at } = place;
    let bytes = 0;
    while (place.at < rows.length && bytes < this.chunk_bytes) bytes += sizeOf(rows[place.at++]);
    const chunk = rows.slice(at, place.at);
    const all = place.at === rows.length;
    if (all) Object.assign(place, { rows: [], at: 0 });
    return { ...readable(table, chunk), is_last: all && place.ended };
  }

  private async readOn(table: ChangeTable, place: Place): Promise<void> {
    const columns = columnNames(table.kind).map((name) => sql.ref(name));
    const { limit } = place;
    const query = sql`select ${sql.join(columns)} from ${sql.table(table.table)}
      where seq > ${place.after} and seq <= ${this.range.until} order by seq limit ${sql.lit(limit)}`;
    const rows = await this.read(query.compile(this.db));
    const seqs = rows.map((row) => numberOf(row[0]));
    requireRising(table.table, seqs, place.after);
    place.after = seqs.at(-1) ?? place.after;
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 1);
    const fitting = Math.floor((this.chunk_bytes * rows.length) / size);
    const large = table.columns.some(({ name, type }) => name === 'content' || LIST_TYPES.has(type));
    const next = Math.max(1, Math.min(large ? LARGE_ROWS_READ : ROWS_READ, 2 * limit, fitting));
    Object.assign(place, { rows, at: 0, limit: next, ended: rows.length < limit });
  }
}

function readable(table: ChangeTable, rows: readonly Value[][]): Pick<Chunk, 'rows' | 'unreadable'> {
  try {
    return { rows: columnsOf(table, rows), unreadable: [] };
  } catch {
    return withoutUnreadable(table, rows);
  }
}

/** Separates the rows that cannot be read. */
function withoutUnreadable(table: ChangeTable, rows: readonly Value[][]): Pick<Chunk, 'rows' | 'unreadable'> {
  const unreadable: BadRow[] = [];
  const left = rows.filter((row) => {
    try {
      columnsOf(table, [row]);
      return true;
    } catch (error) {
      unreadable.push(badRowOf({ kind: table.kind, seq: numberOf(row[0]) }, error));
      return false;
    }
  });
  return { rows: columnsOf(table, left), unreadable };
}

/** Approximate bytes and characters of a row, counting only values of variable length. */
function sizeOf(row: readonly Value[]): number {
  let size = 0;
  for (const value of row) {
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  }
  return size;
}
