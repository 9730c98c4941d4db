import { LIMITS } from '../limits.ts';
import { CHANGES, type Kind } from '../model/change.ts';
import { type ChangeDefinition, columnOf, type RowOf, referencesOf } from '../model/define-change.ts';
import type { Space } from '../model/key.ts';
import type { ColumnType } from '../model/member.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { OwnRows } from './schema.ts';

/** The types of columns whose values are lists. */
export const LIST_TYPES: ReadonlySet<ColumnType> = new Set(['keys', 'numbers', 'bytes']);

/** The largest key of a key column, which has a sign for NONE. */
const KEY_COLUMN_MAX = 2 ** 31 - 1;
if (LIMITS.keys_max - 1 > KEY_COLUMN_MAX) throw new Error('limits disagree: every key fits its column');

/** The list of one row in a column of lists. */
export type List = Uint32Array | Float64Array | Uint8Array;

/** A column of lists. The list of row `at` ends before `ends[at]` in `values`, where the next one begins. */
export interface ListColumn {
  values: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
}

export type NumberColumn = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The values of one column, in the order of the rows. */
export type ColumnData = NumberColumn | string[] | ListColumn;

export interface Column {
  name: string;
  type: ColumnType;
  /** The migration that added it, if it is younger than its table. */
  since?: string;
}

/** A table of append-only rows. `seq` (primary key) and `applied_at` come before `columns`. */
export interface ChangeTable {
  kind: Kind;
  table: ChangeTableName;
  columns: readonly Column[];
}

type Definition = (typeof CHANGES)[number];
export type ChangeTableName = Definition['table'];

/** The table of a kind, with the columns of its members in order, then those that repeat a part of them. */
export function tableOf({
  kind,
  table,
  members,
  derived,
}: ChangeDefinition & Pick<Definition, 'kind' | 'table'>) {
  const named = Object.entries(members).map(([name, member]) => [columnOf(name, member), member] as const);
  const columns = [...named, ...Object.entries(derived ?? {})].map(([name, { type, since }]) => ({
    name,
    type,
    since,
  }));
  return { kind, table, columns };
}

/**
 * Every table of changes with its kind. They drive migrations, bulk inserts, the messages to the writer and the reading
 * of changes.
 *
 * `seq` counts over all tables. Only users, experiments and tables beside the state have further indexes, so the cost of
 * appending other changes does not grow with the size.
 */
export const CHANGE_TABLES: readonly ChangeTable[] = CHANGES.map(tableOf);

/** Tables whose changes a state is built from, under the same indexes: the first ones. */
export const FOLDED_TABLES: readonly ChangeTable[] = CHANGE_TABLES.slice(
  0,
  CHANGES.filter((change: ChangeDefinition) => !change.is_beside_state).length,
);

/** A table whose rows have subjects of some kind, and these columns. */
export interface TableOfSubjects {
  table: ChangeTableName;
  columns: Readonly<Record<Space, string[]>>;
  /** Whether rows link items to their authors. */
  has_owner: boolean;
  /** Whether rows about an item go with its content. Others are acts. */
  is_about_content: boolean;
}

/** Tables whose rows are removed with a user or item. Those that link items to authors are last, the items at the end. */
export const TABLES_OF_SUBJECTS: readonly TableOfSubjects[] = CHANGES.map(
  (change: ChangeDefinition & Pick<Definition, 'table'>) => {
    const references = referencesOf(change);
    const columnsOf = (space: Space) =>
      references
        .filter((one) => one.role === 'subject' && one.refers_to === space)
        .map(({ column }) => column);
    const columns = { user: columnsOf('user'), item: columnsOf('item') };
    const is_about_content = change.is_about_content ?? columns.user.length === 0;
    const has_owner = references.some(({ role }) => role === 'owner');
    return { table: change.table, columns, has_owner, is_about_content };
  },
)
  .filter(({ columns: { user, item } }) => user.length + item.length > 0)
  .reverse()
  .sort((one, other) => Number(one.has_owner) - Number(other.has_owner));

export const TABLE_OF = Object.fromEntries(CHANGE_TABLES.map((entry) => [entry.kind, entry])) as Readonly<
  Record<Kind, ChangeTable>
>;

export type Value = string | number | bigint | Uint8Array | null;

type StoredChanges = { [Name in ChangeTableName]: RowOf<Extract<Definition, { table: Name }>> };

/** The rows as Kysely types. PostgreSQL returns `seq` as text, so pass it through `Number`. */
export interface Tables extends StoredChanges, Omit<OwnRows, 'audit'> {
  audit: AuditEntry;
}
