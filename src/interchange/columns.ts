/** Maps the columns of a file to the fields of its records, by name or by a `--map`. */
import { type CellTypes, coerceCsv } from '../model/values/cells.ts';
import type { FieldNames } from '../model/values/record.ts';
import { clip, isPlainObject } from '../model/values/refusal.ts';

/** The source of a field: a column of a foreign file, or one text for all lines. */
export type FieldSource =
  | { column: string /** Replacements of some of its texts. */; values: ReadonlyMap<string, string> }
  | { constant: string };

/** Where the fields of a foreign file come from. */
export interface FieldMap {
  fields: ReadonlyMap<string, FieldSource>;
}

const LISTED_MAX = 20;

/** Lists names from an untrusted folder or file, shortened to fit a message. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED_MAX).map((name) => clip(name));
  return shown.join(', ') + (names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '');
}

/** How to read the rows of a CSV file. */
export interface Columns {
  /** Cells per row. */
  count: number;
  names: readonly string[];
  /** Columns that no field uses. */
  unknown: readonly string[];
  rowOf(cells: readonly string[]): Record<string, string>;
}

interface Cell {
  field: string;
  index: number;
  values?: ReadonlyMap<string, string>;
}

/** Reads a header. `fault` says why the file cannot be read. */
export function columnsOf(
  names: readonly string[],
  { required, optional }: FieldNames,
  map?: FieldMap,
): Columns | { fault: string } {
  const mapped = [...(map?.fields ?? [])];
  const sources = mapped.flatMap(([, source]) => ('column' in source ? source.column : []));
  const absent = sources.find((column) => !names.includes(column));
  if (absent !== undefined) return { fault: absentColumn(absent, names) };
  const isKnown = (name: string) => required.includes(name) || optional.includes(name);
  const kept = names.filter((name) => isKnown(name) && !sources.includes(name) && !map?.fields.has(name));
  const twice = [...kept, ...sources].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return { fault: `the column ${twice} appears twice` };
  const missing = required.filter((name) => !kept.includes(name) && !map?.fields.has(name));
  if (missing.length > 0) return { fault: missingColumns(missing, required, names) };
  const cells: Cell[] = kept.map((field) => ({ field, index: names.indexOf(field) }));
  const constants: Record<string, string> = {};
  for (const [field, source] of mapped) {
    if ('constant' in source) constants[field] = source.constant;
    else cells.push({ field, index: names.indexOf(source.column), values: source.values });
  }
  const unknown = names.filter((name) => !kept.includes(name) && !sources.includes(name));
  return { count: names.length, names, unknown, rowOf: rowReader(cells, constants) };
}

function rowReader(cells: readonly Cell[], constants: Record<string, string>): Columns['rowOf'] {
  return (texts) => {
    const row: Record<string, string> = { ...constants };
    for (const { field, index, values } of cells) {
      const text = texts[index];
      row[field] = values?.get(text) ?? text;
    }
    return row;
  };
}

function missingColumns(
  missing: readonly string[],
  required: readonly string[],
  names: readonly string[],
): string {
  const wanted = `expected the columns ${required.join(', ')}; ${missing.join(', ')} missing`;
  return `${wanted}; found ${listed(names)}`;
}

function absentColumn(column: string, names: readonly string[]): string {
  const constant = `a text for all lines is written '${column}', within single quotes`;
  return `--map asks for the column ${column}; found ${listed(names)} (${constant})`;
}

/** Renames the fields of a line of JSON to the names of the record. */
export function withOwnNames(value: unknown, { fields }: FieldMap, cells: CellTypes): unknown {
  if (!isPlainObject(value)) return value;
  const sources = new Set(
    [...fields.values()].flatMap((source) => ('column' in source ? source.column : [])),
  );
  const own: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) {
    if (!sources.has(name) && !fields.has(name)) own[name] = value[name];
  }
  for (const [field, source] of fields) own[field] = mappedValue(field, source, value, cells);
  return own;
}

function mappedValue(
  field: string,
  source: FieldSource,
  value: Record<string, unknown>,
  cells: CellTypes,
): unknown {
  if ('constant' in source) return coerceCsv(cells, { [field]: source.constant })[field];
  const given = Object.hasOwn(value, source.column) ? value[source.column] : undefined;
  return source.values.get(String(given)) ?? given;
}
