/**
 * The first copy of a table, in ranges of its primary key.
 *
 * No snapshot is held, so it goes on after a restart. What changes meanwhile comes in the stream afterwards, which begins
 * before the copy.
 */
import type { ConnectorHost } from 'feedloom/plugin';
import { type Client, DatabaseError } from 'pg';
import type { Batch } from './postgres-batch.ts';
import { type Row, rowsOf } from './postgres-rows.ts';
import { AS_WRITTEN } from './postgres-stream.ts';
import { type MappedTable, quoted, type Table } from './postgres-tables.ts';

const RANGE_ROWS = 250;
/** The first digits of codes such as those of an unknown column and an unknown table. */
const CHANGED_TABLE = '42';

/** Copies the rows of a table, from the position on. */
export async function copyTable(
  client: Client,
  mapped: MappedTable,
  list_oids: ReadonlySet<number>,
  batch: Batch,
  { signal, log }: ConnectorHost,
  afterRange: () => Promise<void>,
): Promise<void> {
  const { id, map, table } = mapped;
  const rows = rowsOf(mapped, list_oids);
  const existing = new Set(table.columns.map(({ name }) => name));
  const columns = rows.needed.filter((name) => existing.has(name));
  const { copying } = batch.position;
  let after = copying?.id === id ? copying.after : [];
  log.info({ table: map.table, after }, 'a table is being copied');
  let range = rangeOf(client, table, columns, after);
  for (;;) {
    const found = await range;
    signal.throwIfAborted();
    const last = found.at(-1);
    if (last !== undefined) {
      after = table.key.map((name) => String(last[name]));
      range = rangeOf(client, table, columns, after);
      // It is awaited after the emit.
      range.catch(() => {});
      for (const row of found) await batch.add(rows.recordOf(row), rows.nameOf(row));
    }
    const { lsn, copied } = batch.position;
    batch.position =
      last === undefined ? { lsn, copied: [...copied, id] } : { lsn, copied, copying: { id, after } };
    await batch.emit();
    if (last === undefined) return;
    await afterRange();
  }
}

/** The rows behind a key, in its order. */
async function rangeOf(
  client: Client,
  { sql, key }: Table,
  columns: readonly string[],
  after: readonly string[],
): Promise<Row[]> {
  const keys = key.map(quoted).join(', ');
  const behind = after.map((_, index) => `$${index + 1}`).join(', ');
  const where = after.length === 0 ? '' : `where (${keys}) > (${behind})`;
  const list = columns.map(quoted).join(', ');
  const { rows } = await client.query<Row>({
    text: `select ${list} from ${sql} ${where} order by ${keys} limit ${RANGE_ROWS}`,
    values: [...after],
    types: AS_WRITTEN,
  });
  return rows;
}

/**
 * What a row is now.
 * @returns undefined if there is none, or the table has changed meanwhile
 */
export async function rowNow(
  client: Client,
  { sql, key }: Table,
  columns: readonly string[],
  row: Row,
): Promise<Row | undefined> {
  const where = key.map((name, index) => `${quoted(name)} = $${index + 1}`).join(' and ');
  const text = `select ${columns.map(quoted).join(', ')} from ${sql} where ${where}`;
  try {
    const query = { text, values: key.map((name) => row[name]), types: AS_WRITTEN };
    return (await client.query<Row>(query)).rows[0];
  } catch (error) {
    if (error instanceof DatabaseError && error.code?.startsWith(CHANGED_TABLE)) return undefined;
    throw error;
  }
}
