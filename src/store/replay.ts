import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemTimers } from '../clock.ts';
import type { Change } from '../model/change.ts';
import type { Key, Space } from '../model/key.ts';
import { type BadRow, badRowOf, refuseBadRow } from './bad-rows.ts';
import type { Connection, Location } from './connection.ts';
import { highestSeq, metaNumber, NEXT_KEY } from './meta.ts';
import { ReaderLink } from './reader-link.ts';
import { sharedSeq } from './row-order.ts';
import { type ChunkSource, RowReader } from './row-reader.ts';
import { changeAt, type Rows } from './rows.ts';
import { CHANGE_TABLES, type ChangeTable, FOLDED_TABLES } from './tables.ts';
import { TimedReads } from './timed-reads.ts';

/** Changes made from rows before they are visited, which is the look-ahead of the visitor. */
const GROUP = 64;
/** Replays of this many changes use a reader thread. Its start takes as long as reading 200,000 changes. */
const READER_THREAD_FROM = 300_000;

export interface ReplayOptions {
  /** Only changes with a higher `seq`. Default 0. */
  after?: number;
  /** Awaited after each chunk of at most 20,000 rows. Default: a turn of the event loop, which also handles signals. */
  slice?: () => Promise<void>;
  /** Gets up to `GROUP` changes of one kind before they are visited. */
  ahead?: (changes: readonly Change[]) => void;
  /** Also visits named events, which are not part of the state. Default false. */
  with_events?: boolean;
  /** The location of the data for a reader thread, which is used from `from` changes on. */
  reader_thread?: { location: Location; from?: number };
  /** Gets rows that cannot be read, which are left out. Without it the first bad row ends the replay. */
  onBadRow?: (row: BadRow) => void;
  /** Default: a new one. */
  timed_reads?: TimedReads;
  /** First asks which tables have changes, and reads only these: faster for a few changes. Default false. */
  few?: boolean;
}

export interface Replayed {
  /** The highest `seq` ever assigned, even if its row is gone. */
  highest_seq: number;
  /** seconds; 0 without changes */
  highest_applied_at: number;
  changes: number;
  /** All lower keys have been assigned, even if their names are gone. */
  keys_from: Record<Space, Key>;
}

interface Visitor {
  visit: (change: Change) => void;
  ahead: ReplayOptions['ahead'];
  onBadRow: (row: BadRow) => void;
}

/** Reads one table in order of `seq`, a chunk at a time. */
class TableCursor {
  private rows: Rows | undefined;
  private index = 0;
  private ended = false;
  readonly table: ChangeTable;
  /** `seq` of the next row; Infinity after the last. */
  next_seq = 0;

  constructor(
    private readonly chunks: ChunkSource,
    private readonly code: number,
  ) {
    this.table = CHANGE_TABLES[code];
  }

  async fill({ onBadRow }: Visitor): Promise<void> {
    this.index = 0;
    this.rows = undefined;
    // The last chunk may be empty, if the rows before it ended with the table.
    while (!this.ended && !this.rows?.seqs.length) {
      const { rows, is_last, unreadable } = await this.chunks.next(this.code);
      for (const row of unreadable) onBadRow(row);
      this.rows = rows;
      this.ended = is_last;
    }
    this.next_seq = this.rows?.seqs.length ? this.rows.seqs[0] : Number.POSITIVE_INFINITY;
  }

  /** Visits rows up to `bound`. True when the chunk is used up. */
  run(bound: number, { visit, ahead, onBadRow }: Visitor, replayed: Replayed): boolean {
    const { rows } = this;
    if (rows === undefined) return true;
    let { index } = this;
    let applied_at = replayed.highest_applied_at;
    while (index < rows.seqs.length && rows.seqs[index] < bound) {
      const end = groupEnd(rows, index, bound);
      const changes = this.changes(rows, index, end, onBadRow);
      ahead?.(changes);
      for (const change of changes) {
        applied_at = Math.max(applied_at, change.applied_at);
        visit(change);
      }
      index = end;
    }
    replayed.changes += index - this.index;
    replayed.highest_applied_at = applied_at;
    this.index = index;
    if (index === rows.seqs.length) return true;
    this.next_seq = rows.seqs[index];
    return false;
  }

  private changes(rows: Rows, start: number, end: number, onBadRow: Visitor['onBadRow']): Change[] {
    const { kind } = this.table;
    const changes: Change[] = [];
    for (let at = start; at < end; at++) {
      try {
        changes.push(changeAt(kind, rows, at));
      } catch (error) {
        onBadRow(badRowOf({ kind, seq: rows.seqs[at] }, error));
      }
    }
    return changes;
  }
}

/** The end (exclusive) of the group that begins at `start`. */
function groupEnd({ seqs }: Rows, start: number, bound: number): number {
  let end = start;
  while (end < seqs.length && end < start + GROUP && seqs[end] < bound) end++;
  return end;
}

/**
 * Visits every stored change with `seq` above `after`, in order of `seq`, from one snapshot.
 * @throws StartupError `data_unreadable`, `data_row_invalid`, `database_unreachable`; errors of `visit`
 */
export async function replay(
  connection: Connection,
  visit: Visitor['visit'],
  options: ReplayOptions = {},
): Promise<Replayed> {
  const { after = 0, slice = nextTurn, ahead, reader_thread, onBadRow = refuseBadRow } = options;
  const tables = options.with_events ? CHANGE_TABLES : FOLDED_TABLES;
  const { timed_reads = new TimedReads(connection, systemTimers) } = options;
  const { until, keys_from } = await timed_reads.load(() => boundsOf(connection));
  const replayed: Replayed = { highest_seq: until, highest_applied_at: 0, changes: 0, keys_from };
  if (until <= after) return replayed;
  const codes = options.few
    ? await timed_reads.load(() => codesAfter(connection, tables, after))
    : tables.map((_, code) => code);
  const readAll = (chunks: ChunkSource) => {
    const next = async (table: number) => {
      const chunk = await timed_reads.load(() => chunks.next(table));
      await slice();
      return chunk;
    };
    return visitAll(codes, { next }, { visit, ahead, onBadRow }, replayed);
  };
  const range = { after, until };
  if (reader_thread === undefined || until - after < (reader_thread.from ?? READER_THREAD_FROM)) {
    await connection.snapshot((read) => readAll(new RowReader(connection.db, read, range)));
    return replayed;
  }
  const reader = await timed_reads.load(() => ReaderLink.open(reader_thread.location, range, tables.length));
  try {
    await readAll(reader);
  } finally {
    await reader.close(timed_reads);
  }
  return replayed;
}

async function boundsOf({ db }: Connection): Promise<{ until: number; keys_from: Replayed['keys_from'] }> {
  const until = await highestSeq(db);
  const user = await metaNumber(db, NEXT_KEY.user);
  const item = await metaNumber(db, NEXT_KEY.item);
  return { until, keys_from: { user, item } };
}

/**
 * The indexes of the tables that have changes after a `seq`. One statement with one index lookup per table.
 *
 * It asks for the highest `seq`. For `exists(… where seq > …)` PostgreSQL expects many rows, and scans the whole table.
 */
async function codesAfter(
  { db, values }: Connection,
  tables: readonly ChangeTable[],
  after: number,
): Promise<number[]> {
  const found = tables.map(({ table }) => sql`(select max(seq) from ${sql.table(table)}) > ${after}`);
  const [row] = await values(sql`select ${sql.join(found)}`.compile(db));
  return tables.flatMap((_, code) => (row[code] ? [code] : []));
}

async function visitAll(
  codes: readonly number[],
  chunks: ChunkSource,
  visitor: Visitor,
  replayed: Replayed,
): Promise<void> {
  const cursors = codes.map((code) => new TableCursor(chunks, code));
  for (const cursor of cursors) await cursor.fill(visitor);
  for (;;) {
    // Rows of a table mostly come in runs, so the loop stays with one table until another is due.
    let first: TableCursor | undefined;
    let second: TableCursor | undefined;
    for (const cursor of cursors) {
      if (first === undefined || cursor.next_seq < first.next_seq) [first, second] = [cursor, first];
      else if (second === undefined || cursor.next_seq < second.next_seq) second = cursor;
    }
    if (first === undefined || first.next_seq === Number.POSITIVE_INFINITY) return;
    if (first.next_seq === second?.next_seq)
      throw sharedSeq(first.next_seq, first.table.table, second.table.table);
    if (!first.run(second?.next_seq ?? Number.POSITIVE_INFINITY, visitor, replayed)) continue;
    await first.fill(visitor);
  }
}
