import { readFileSync } from 'node:fs';
import { type Kind, RECORDS } from '../mapping/kinds.ts';
import type { ColumnSource, FileMap } from '../mapping/map.ts';
import { parseMaps } from '../mapping/parse-map.ts';
import { isField, type RowType } from '../mapping/row-type.ts';
import { mappedValues } from '../mapping/values.ts';
import type { CellTypes } from '../model/values/cell-types.ts';
import { fieldNames, type Shape } from '../model/values/record.ts';
import type { RowReader, TableMap } from '../plugin/index.ts';
import { tableName } from '../rows/file-names.ts';

/** Fields without which no row can be read, further to those that every record of the kind has. */
const NEEDED: Partial<Record<Kind, readonly string[]>> = {
  items: ['author_id', 'created_at'],
  interactions: ['timestamp'],
};

/** Reads a file of maps for a connector of tables. @throws Error if it cannot be read; MapFault that names the line */
export function readMaps(path: string): TableMap[] {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n').map((line) => line.trim());
  const texts = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return parseMaps(text).map((map, index) => tableMap(map, texts[index]));
}

function tableMap(map: FileMap, text: string): TableMap {
  const { file, kind, fields } = map;
  const { cells, shape }: { cells: CellTypes; shape: Shape<never> } = RECORDS[kind];
  const type: RowType = { cells, ...fieldNames(shape, NEEDED[kind]) };
  const read = mappedValues(type, map);
  return {
    text,
    table: tableName(file),
    kind,
    valuesOf(field) {
      const source = fields.get(field);
      if (source === undefined || 'constant' in source) return source && [source.constant];
      const { rules } = source;
      if (!rules.some(({ when }) => 'is_rest' in when)) return undefined;
      const texts = rules.flatMap(({ to }) => to ?? []);
      // `*` does not fit an absent value.
      return rules.some(({ when }) => 'is' in when && when.is === '') ? texts : [...texts, ''];
    },
    readerOf: (columns) => ({
      ...columnsFor(map, type, columns),
      read: (row) => read({ ...row }),
    }),
  };
}

/** The columns that fields come from, and what is missing. */
function columnsFor(
  { fields, skips }: FileMap,
  type: RowType,
  names: readonly string[],
): Omit<RowReader, 'read'> {
  const columns = new Map<string, string>();
  for (const [field, source] of fields) if ('column' in source) columns.set(field, columnOf(source, names));
  const skipping = skips.map((source) => columnOf(source, names));
  const taken = new Set([...columns.values(), ...skipping]);
  const missing = [...taken].filter((column) => !names.includes(column));
  for (const name of names)
    if (isField(name, type) && !taken.has(name) && !fields.has(name)) columns.set(name, name);
  const absent = type.required.filter((field) => !columns.has(field) && !fields.has(field));
  const found = `its columns are ${names.join(', ')}`;
  return {
    columns,
    skips: skipping,
    faults: [
      ...missing.map((column) => `there is no column ${column}; ${found}`),
      ...absent.map((field) => `no column is mapped to ${field}; ${found}`),
    ],
  };
}

/** `a.b` is a column `a` with JSON, unless there is a column of that name. */
function columnOf({ column, is_literal }: ColumnSource, names: readonly string[]): string {
  return is_literal === true || names.includes(column) ? column : column.split('.')[0];
}
