import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Batch, TableRows } from '../codec.ts';
import { columnNames } from '../rows.ts';
import { type ColumnData, type ColumnType, TABLE_OF, type Tables } from '../tables.ts';

/** Rows of one statement: what it holds of them is bounded. */
const CHUNK_ROWS = 1_000;

/** The type that each column is read as; the server makes the column's own of it, exactly. */
const TYPES = {
  key: 'integer[]',
  count: 'float8[]',
  code: 'smallint[]',
  time: 'float8[]',
} as const satisfies Partial<Record<ColumnType, string>>;

/** As many numbers as one text: `String` gives each so that reading it gives the same number again. */
function listOf(numbers: Exclude<ColumnData, string[] | Uint8Array[]>): string {
  return `{${Array.from(numbers, textOf).join()}}`;
}

/** `String` drops the sign of -0. */
function textOf(number: number): string {
  return Object.is(number, -0) ? '-0' : String(number);
}

/**
 * A column as one parameter, which is always text, and the set of rows that the server makes of it. Parameters of other
 * types would make another statement of it with every new order of whole numbers and fractions among the values,
 * and the connection keeps what it has prepared.
 */
function rowsFrom(type: ColumnType, values: ColumnData): RawBuilder<unknown> {
  switch (type) {
    case 'text':
      return sql`json_array_elements_text(${JSON.stringify(values)}::text::json)`;
    case 'packed': {
      const texts = (values as Uint8Array[]).map((bytes) => bytes.toBase64());
      return sql`json_array_elements_text(${JSON.stringify(texts)}::text::json)`;
    }
    default: {
      const list = listOf(values as Exclude<ColumnData, string[] | Uint8Array[]>);
      return sql`unnest(${list}::text::${sql.raw(TYPES[type])})`;
    }
  }
}

async function insertRows(
  transaction: Transaction<Tables>,
  { table, positions, applied_at, columns }: TableRows,
  base: number,
  from: number,
): Promise<void> {
  const until = from + CHUNK_ROWS;
  const seqs = Float64Array.from(positions.subarray(from, until), (position) => base + 1 + position);
  const types = TABLE_OF[table.kind].columns.map(({ type }) => type);
  const sets = [
    sql`unnest(${listOf(seqs)}::text::bigint[])`,
    rowsFrom('time', applied_at.subarray(from, until)),
    ...columns.map((values, at) => rowsFrom(types[at], values.slice(from, until))),
  ];
  const names = columnNames(table.kind).map((name) => sql.ref(name));
  const read = names.map((name, at) => (types[at - 2] === 'packed' ? sql`decode(${name}, 'base64')` : name));
  await sql`insert into ${sql.table(table.table)} (${sql.join(names)})
    select ${sql.join(read)} from rows from (${sql.join(sets)}) as given (${sql.join(names)})`.execute(
    transaction,
  );
}

/** Appends the rows of `batch` in multi-row statements within `transaction`. */
export async function insertBatch(
  transaction: Transaction<Tables>,
  batch: Batch,
  base: number,
): Promise<void> {
  for (const rows of batch.tables) {
    for (let from = 0; from < rows.positions.length; from += CHUNK_ROWS) {
      await insertRows(transaction, rows, base, from);
    }
  }
}
