import { OWN_TABLES } from './schema.ts';
import { CHANGE_TABLES, type Tables } from './tables.ts';

/** A table that `feedloom move` copies. */
export interface MovedTable {
  table: keyof Tables;
  /** Columns of the primary key, which is the order of reading. */
  keys: readonly string[];
  /** All columns, those of the key first. */
  columns: readonly string[];
  /** Whether the key is a text. */
  has_text_key: boolean;
}

/**
 * All tables that hold data, in an order in which references point backwards. A test compares them with the schema.
 *
 * The rows of `meta` come last. `KEPT_META` are not moved. Tables about running processes stay where they are.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  ...CHANGE_TABLES.map(({ table, columns }) => ({
    table,
    keys: ['seq'],
    columns: ['seq', 'applied_at', ...columns.map(({ name }) => name)],
    has_text_key: false,
  })),
  ...Object.entries(OWN_TABLES).flatMap(([table, { key: keys, columns, ...others }]) =>
    'is_of_processes' in others
      ? []
      : {
          table: table as keyof typeof OWN_TABLES,
          keys,
          columns: [...keys, ...Object.keys(columns).filter((name) => !keys.some((key) => key === name))],
          has_text_key: Object.entries(columns).some(([name, type]) => name === keys[0] && type === 'text'),
        },
  ),
];
