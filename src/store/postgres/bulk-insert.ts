import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Kind } from '../../model/change.ts';
import type { ColumnType } from '../../model/member.ts';
import type { Batch } from '../batch.ts';
import { type BoundValue, columnNames, type Rows, valueAt } from '../rows.ts';
import { type ColumnData, LIST_TYPES, type List, TABLE_OF, type Tables } from '../tables.ts';

/** Rows per statement, which bounds its size. */
const CHUNK_ROWS = 1_000;

/** The type that each column is read as. The server converts it exactly to the type of the column. */
const TYPES = {
  key: 'integer[]',
  count: 'float8[]',
  code: 'smallint[]',
  time: 'float8[]',
} as const satisfies Partial<Record<ColumnType, string>>;

/** `String` formats each number so that parsing it gives the same number. */
function listText(numbers: readonly number[]): string {
  return `{${numbers.map(textOf).join()}}`;
}

/** `String` drops the sign of -0. */
function textOf(number: number): string {
  return Object.is(number, -0) ? '-0' : String(number);
}

/**
 * Turns a column into one text parameter that the server expands to rows.
 *
 * Parameters of other types would make the client prepare a new statement for each pattern of integers and fractions,
 * and the connection keeps all prepared statements.
 */
function rowsFrom(type: ColumnType, values: readonly BoundValue[]): RawBuilder<unknown> {
  switch (type) {
    case 'text':
      return sql`json_array_elements_text(${JSON.stringify(values)}::text::json)`;
    case 'keys':
    case 'numbers':
    case 'bytes': {
      const texts = (values as List[]).map(({ buffer }) => new Uint8Array(buffer).toBase64());
      return sql`json_array_elements_text(${JSON.stringify(texts)}::text::json)`;
    }
    default:
      return sql`unnest(${listText(values as number[])}::text::${sql.raw(TYPES[type])})`;
  }
}

/** Inserts the rows `from` (inclusive) to `until` (exclusive). */
async function insertRows(
  transaction: Transaction<Tables>,
  kind: Kind,
  { seqs, applied_at, columns }: Rows,
  from: number,
  until: number,
): Promise<void> {
  const { table, columns: described } = TABLE_OF[kind];
  const valuesOf = (column: ColumnData) =>
    Array.from({ length: until - from }, (_, place) => valueAt(column, from + place));
  const sets = [
    sql`unnest(${listText([...seqs.subarray(from, until)])}::text::bigint[])`,
    rowsFrom('time', valuesOf(applied_at)),
    ...described.map(({ type }, index) => rowsFrom(type, valuesOf(columns[index]))),
  ];
  const names = columnNames(kind).map((name) => sql.ref(name));
  const read = [
    ...names.slice(0, 2),
    ...described.map(({ name, type }) =>
      LIST_TYPES.has(type) ? sql`decode(${sql.ref(name)}, 'base64')` : sql.ref(name),
    ),
  ];
  await sql`insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(read)} from rows from (${sql.join(sets)}) as given (${sql.join(names)})`.execute(
    transaction,
  );
}

export async function insertBatch(transaction: Transaction<Tables>, { tables }: Batch): Promise<void> {
  for (const { kind, rows } of tables) {
    const { length } = rows.seqs;
    for (let from = 0; from < length; from += CHUNK_ROWS) {
      await insertRows(transaction, kind, rows, from, Math.min(length, from + CHUNK_ROWS));
    }
  }
}
