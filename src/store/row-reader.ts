import { sql } from 'kysely';
import { encodeRows } from './codec.ts';
import type { Connection, ReadValues } from './connection.ts';
import { columnNames, numberOf } from './rows.ts';
import { CHANGE_TABLES, type ChangeTable } from './tables.ts';

/** Rows read at a time: few where a row may be large. */
const CHUNK_ROWS = 20_000;
const CHUNK_ROWS_LARGE = 2_000;

/** Which rows are read: those with `seq` above `after`, up to `until`. */
export interface SeqRange {
  after: number;
  until: number;
}

/** Rows of the tables of changes, a chunk at a time (`encodeRows`). */
export interface ChunkSource {
  /**
   * The next rows of the table with this index in `CHANGE_TABLES`, in order of `seq`. The last chunk of a table is
   * shorter than `chunkRows`, empty if need be; it is not to be asked for another.
   */
  next(table: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Rows of a full chunk of a table. */
export function chunkRows({ columns }: ChangeTable): number {
  const large = columns.some(({ name, type }) => name === 'content' || type === 'packed');
  return large ? CHUNK_ROWS_LARGE : CHUNK_ROWS;
}

/** Reads them by itself. */
export class RowReader implements ChunkSource {
  /** `seq` of the last row read of each table. */
  private readonly after: number[];

  constructor(
    private readonly db: Connection['db'],
    private readonly read: ReadValues,
    private readonly range: SeqRange,
  ) {
    this.after = CHANGE_TABLES.map(() => range.after);
  }

  async next(index: number): Promise<Uint8Array<ArrayBuffer>> {
    const table = CHANGE_TABLES[index];
    const columns = columnNames(table.kind).map((name) => sql.ref(name));
    const query = sql`select ${sql.join(columns)} from ${sql.table(table.table)}
      where seq > ${this.after[index]} and seq <= ${this.range.until}
      order by seq limit ${sql.lit(chunkRows(table))}`;
    const rows = await this.read(query.compile(this.db));
    const last = rows.at(-1);
    if (last !== undefined) this.after[index] = numberOf(last[0]);
    return encodeRows(table, rows);
  }
}
