import type { ComponentChildren } from 'preact';

export interface Column<T> {
  /** A column of buttons has a title for screen readers alone. */
  title: ComponentChildren;
  cell: (row: T, index: number) => ComponentChildren;
  /** `name` names the row; figures are aligned at their end. */
  kind?: 'name' | 'number';
  /** Left out on a phone. */
  is_extra?: boolean;
}

/** A table with a row for each entry. @param kind adds to its class */
export function Table<T>(props: {
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Default: by the place. */
  keyOf?: (row: T) => string | number;
  kind?: string;
  caption?: ComponentChildren;
  /** The class of a row. */
  rowKind?: (row: T) => string | undefined;
}) {
  const { columns, rows, keyOf, kind, caption, rowKind } = props;
  return (
    <table class={kind === undefined ? 'list' : `list ${kind}`}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th key={at} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf?.(row) ?? index} class={rowKind?.(row)}>
            {columns.map((column, at) => {
              const cell = { class: classOf(column), children: column.cell(row, index) };
              return column.kind === 'name' ? (
                <th key={at} {...cell} scope="row" />
              ) : (
                <td key={at} {...cell} />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<T>({ kind, is_extra }: Column<T>): string | undefined {
  return [kind === 'number' && 'number', is_extra && 'extra'].filter(Boolean).join(' ') || undefined;
}
