/** Reads rows of CSV: their cells are the fields of their columns, by name or by a map. */
import type { CellType } from '../model/values/cell-types.ts';
import { unknownField } from '../model/values/record.ts';
import { clip } from '../model/values/refusal.ts';
import { numberOf } from './cells.ts';
import { isUsual } from './doubts.ts';
import { emptyRow, type FieldReader, type RowFields, type RowOptions } from './field-reader.ts';
import { type FieldMap, isPosition } from './map.ts';
import {
  COUNTED_AT,
  constantsOf,
  DOUBTFUL_TIME,
  hasDoubtfulTime,
  isField,
  mappedColumns,
  ownReader,
  type RowType,
} from './row-type.ts';

/** How to read the rows of a CSV file. */
export interface Columns {
  /** Cells per row. */
  count: number;
  names: readonly string[];
  /** Whether the first row is a record, because the map names columns by position. */
  is_headless: boolean;
  warnings: readonly string[];
  rowOf(cells: readonly string[]): RowFields;
}

const LISTED_MAX = 20;
const HEADLESS = 'the map names columns by position, so the first line is a row';
const IN_CSV = { splits_lists: true };

/** Lists names from an untrusted folder or file, shortened to fit a message. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED_MAX).map((name) => clip(name));
  return shown.join(', ') + (names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '');
}

interface CellReader {
  index: number;
  read: FieldReader;
  type: CellType | undefined;
  /** The field of a text or an identifier that is read as it is, unless it is unusual. */
  usual: string | undefined;
}

function isText(type: CellType | undefined): boolean {
  return type === undefined || type === 'identifier';
}

/** Reads the first row of a file. `fault` says why the file cannot be read. */
export function columnsOf(
  first_row: readonly string[],
  type: RowType,
  map?: FieldMap,
  options: RowOptions = {},
): Columns | { fault: string } {
  const mapped = mappedColumns(map, type, options, IN_CSV);
  const is_headless = mapped.some(({ source }) => isPosition(source) && !first_row.includes(source.column));
  const names = is_headless ? first_row.map((_, index) => String(index + 1)) : first_row;
  const sources = mapped.map(({ source }) => source.column);
  const absent = sources.find((column) => !names.includes(column));
  if (absent !== undefined) return { fault: absentColumn(absent, first_row, is_headless) };
  const known = names.filter(
    (name) => isField(name, type) && !sources.includes(name) && !map?.fields.has(name),
  );
  const is_doubtful = hasDoubtfulTime(known, map);
  const own = is_doubtful ? known.filter((name) => name !== COUNTED_AT) : known;
  const twice = [...own, ...sources].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return { fault: `the column ${twice} appears twice` };
  const missing = type.required.filter((name) => !own.includes(name) && !map?.fields.has(name));
  if (missing.length > 0) return { fault: missingColumns(missing, type.required, first_row) };
  const unknown = names.filter((name) => !known.includes(name) && !sources.includes(name));
  const ignored = is_headless ? [] : unknown.map(unknownField);
  const { nulls = [] } = options;
  const readers: CellReader[] = [
    ...own.map((name) => ({
      index: names.indexOf(name),
      read: ownReader(name, type, map, options, IN_CSV),
      type: type.cells.get(name),
      usual: map === undefined && nulls.length === 0 && isText(type.cells.get(name)) ? name : undefined,
    })),
    ...mapped.map(({ source, read }) => ({
      index: names.indexOf(source.column),
      read,
      type: undefined,
      usual: undefined,
    })),
  ];
  const constants = map === undefined ? undefined : constantsOf(map, type);
  return {
    count: names.length,
    names,
    is_headless,
    warnings: [...(is_headless ? [HEADLESS] : []), ...(is_doubtful ? [DOUBTFUL_TIME] : []), ...ignored],
    rowOf(cells) {
      const row = emptyRow(constants === undefined ? {} : { ...constants });
      for (const { index, read, type, usual } of readers) {
        const cell = cells[index];
        if (usual !== undefined && isUsual(cell, type)) row.fields[usual] = cell;
        else read(cell, row);
      }
      return row;
    },
  };
}

function missingColumns(
  missing: readonly string[],
  required: readonly string[],
  first_row: readonly string[],
): string {
  const wanted = `expected the columns ${required.join(', ')}; ${missing.join(', ')} missing`;
  return `${wanted}; found ${listed(first_row)}${headlessAdvice(first_row)}`;
}

function absentColumn(column: string, first_row: readonly string[], is_headless: boolean): string {
  if (is_headless) {
    const width = `the first row has ${first_row.length} cells: ${listed(first_row)}`;
    return `--map asks for the column ${column}, and names others by position; ${width}`;
  }
  const advice =
    headlessAdvice(first_row) || ` (a text for all lines is written '${column}', within single quotes)`;
  return `--map asks for the column ${column}; found ${listed(first_row)}${advice}`;
}

/** Whether a first row looks like a record rather than a header. */
export function isLikeRow(first_row: readonly string[]): boolean {
  return first_row.some((cell) => numberOf(cell) !== undefined || /^\d{4}-\d\d-\d\d/.test(cell));
}

function headlessAdvice(first_row: readonly string[]): string {
  return isLikeRow(first_row)
    ? '; without a header, a map names columns by position: --map "FILE=kind:field=1,field=2"'
    : '';
}
