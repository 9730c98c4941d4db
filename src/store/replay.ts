import { sql } from 'kysely';
import type { Change, Key, Space } from '../state/change.ts';
import { highestSeq } from './commit.ts';
import type { Connection, ReadValues } from './connection.ts';
import { metaNumber, NEXT_KEY } from './meta.ts';
import { changeOf, columnNames, numberOf, type Row } from './rows.ts';
import { CHANGE_TABLES, type ChangeTable } from './tables.ts';

/** Rows held at a time for each table: few where a row may be large. */
const CHUNK_ROWS = 20_000;
const CHUNK_ROWS_LARGE = 2_000;
/** Changes made of rows before they are visited: as many as are read ahead for. */
const GROUP = 64;

export interface Replayed {
  /** The last `seq` ever given, whether or not its row still exists. */
  highest_seq: number;
  /** Seconds; 0 when there was no change. */
  highest_applied_at: number;
  changes: number;
  /** Keys below were given, to whom may be known no longer. */
  keys_from: Record<Space, Key>;
}

interface Visitor {
  visit: (change: Change) => void;
  /** Told of some changes, of one kind and at most `GROUP`, that are about to be visited. */
  ahead: ((changes: readonly Change[]) => void) | undefined;
}

/** One table read in order of `seq`, a chunk at a time. */
class TableCursor {
  private rows: Row[] = [];
  private index = 0;
  private last: boolean;
  private readonly chunk_rows: number;
  /** `seq` of the next row; Infinity after the last. */
  next_seq = 0;

  constructor(
    private readonly connection: Connection,
    private readonly read: ReadValues,
    private readonly table: ChangeTable,
    private after: number,
    private readonly until: number,
  ) {
    const large = table.columns.some((column) => column.name === 'content' || column.type === 'packed');
    this.chunk_rows = large ? CHUNK_ROWS_LARGE : CHUNK_ROWS;
    this.last = false;
  }

  async fill(): Promise<void> {
    if (this.last) {
      this.rows = [];
      this.next_seq = Number.POSITIVE_INFINITY;
      return;
    }
    const columns = columnNames(this.table.kind).map((name) => sql.ref(name));
    const query = sql`select ${sql.join(columns)} from ${sql.table(this.table.table)}
      where seq > ${this.after} and seq <= ${this.until} order by seq limit ${sql.lit(this.chunk_rows)}`;
    this.rows = await this.read(query.compile(this.connection.db));
    this.index = 0;
    this.last = this.rows.length < this.chunk_rows;
    if (this.rows.length === 0) this.next_seq = Number.POSITIVE_INFINITY;
    else {
      this.next_seq = numberOf(this.rows[0][0]);
      this.after = numberOf(this.rows[this.rows.length - 1][0]);
    }
  }

  /** Visits rows up to `bound`; true when the chunk is used up. */
  run(bound: number, { visit, ahead }: Visitor, replayed: Replayed): boolean {
    const { rows } = this;
    let { index } = this;
    let applied_at = replayed.highest_applied_at;
    for (;;) {
      const changes = this.group(index, bound);
      if (changes.length === 0) break;
      ahead?.(changes);
      for (const change of changes) {
        applied_at = Math.max(applied_at, change.applied_at);
        visit(change);
      }
      index += changes.length;
    }
    replayed.changes += index - this.index;
    replayed.highest_applied_at = applied_at;
    this.index = index;
    if (index === rows.length) return true;
    this.next_seq = numberOf(rows[index][0]);
    return false;
  }

  /** The changes of some rows from `index` on, up to `bound`. */
  private group(index: number, bound: number): Change[] {
    const { rows } = this;
    const changes: Change[] = [];
    const end = Math.min(rows.length, index + GROUP);
    for (let at = index; at < end && numberOf(rows[at][0]) < bound; at++) {
      changes.push(changeOf(this.table.kind, rows[at]));
    }
    return changes;
  }
}

/**
 * Every stored change with `seq` above `after`, in order of `seq`, from one view of the data.
 * `slice` is awaited after each chunk, so that the caller can give the event loop a turn.
 */
export async function replay(
  connection: Connection,
  visit: Visitor['visit'],
  after: number,
  slice: (() => Promise<void>) | undefined,
  ahead?: Visitor['ahead'],
): Promise<Replayed> {
  const until = await highestSeq(connection.db);
  const keys_from = {
    user: await metaNumber(connection.db, NEXT_KEY.user),
    item: await metaNumber(connection.db, NEXT_KEY.item),
  };
  const replayed: Replayed = { highest_seq: until, highest_applied_at: 0, changes: 0, keys_from };
  await connection.snapshot(async (read) => {
    const cursors = CHANGE_TABLES.map((table) => new TableCursor(connection, read, table, after, until));
    for (const cursor of cursors) await cursor.fill();
    for (;;) {
      // Rows of a table mostly come in runs: go on with one until another table is due.
      let [first, second] = [cursors[0], cursors[1]];
      if (second.next_seq < first.next_seq) [first, second] = [second, first];
      for (const cursor of cursors.slice(2)) {
        if (cursor.next_seq < first.next_seq) [first, second] = [cursor, first];
        else if (cursor.next_seq < second.next_seq) second = cursor;
      }
      if (first.next_seq === Number.POSITIVE_INFINITY) break;
      if (!first.run(second.next_seq, { visit, ahead }, replayed)) continue;
      await first.fill();
      await slice?.();
    }
  });
  return replayed;
}
