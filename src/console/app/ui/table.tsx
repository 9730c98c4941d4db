import type { ComponentChildren } from 'preact';

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  /** `name` names the row; figures are aligned at their end. */
  kind?: 'name' | 'number';
  /** Left out on a phone. */
  is_extra?: boolean;
}

/** A table with a row for each entry. @param kind adds to its class */
export function Table<T>(props: {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T, index: number) => string | number;
  kind?: string;
}) {
  const { columns, rows, keyOf, kind } = props;
  return (
    <table class={kind === undefined ? 'list' : `list ${kind}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)}>
            {columns.map((column) =>
              column.kind === 'name' ? (
                <th key={column.title} scope="row" class={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<T>({ kind, is_extra }: Column<T>): string | undefined {
  return [kind === 'number' && 'number', is_extra && 'extra'].filter(Boolean).join(' ') || undefined;
}
