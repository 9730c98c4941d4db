/** How lines of a file become records: JSON lines and CSV. */

import { type Columns, columnsOf } from '../mapping/columns.ts';
import type { RowFields, RowOptions } from '../mapping/field-reader.ts';
import type { FieldMap } from '../mapping/map.ts';
import type { RowType } from '../mapping/row-type.ts';
import { mappedValues, ownValues, type ValueReader } from '../mapping/values.ts';
import { OTHER_USER } from '../model/records/relation.ts';
import { IS_REQUIRED, type Parsed } from '../model/values/record.ts';
import { describeFaults, isPlainObject } from '../model/values/refusal.ts';
import { parseJson } from '../plugin/json.ts';
import type { Row } from '../rows/row.ts';

/** A time (seconds) of a field. */
export interface FieldTime {
  field: string;
  time: number;
}

export type Reading<T> =
  /** `early`: its times before 1990. */
  | { type: 'record'; timed: T; warnings: readonly string[]; early?: readonly FieldTime[] }
  | { type: 'header'; warnings: readonly string[] }
  /** The line stays out, which is no fault. */
  | { type: 'skipped'; warnings: readonly string[] }
  /** `fields`: the fields of a line that lacks one (`lacks_field`). */
  | {
      type: 'bad';
      reason: string;
      warnings: readonly string[];
      lacks_field?: boolean;
      fields?: readonly string[];
    }
  /** A header without which no line can be understood. */
  | { type: 'bad_header'; reason: string };

/** Reads the records of one file in order. */
export interface Format<T> {
  read(row: Row): Reading<T>;
  /**
   * What a line that stays out still decides, as far as it can be read: its item must not be described by acts, and its
   * `hidden` counts. Otherwise the import would publish what the line withholds.
   */
  rest?(row: Row): T | undefined;
}

/** How a kind of record is read in any format. CSV without the `required` columns is refused. */
export interface RecordSpec<T> extends RowType {
  parse(value: unknown): Reading<T>;
  /** As `Format.rest`. */
  rest?(value: Record<string, unknown>): T | undefined;
}

/** How the rows of a file are read. */
export interface ReadFile extends RowOptions {
  /** Absent if its columns or fields have the standard names. */
  map?: FieldMap;
}

const IS_SELF = `target_user_id: ${OTHER_USER}`;
/** Some software stores everybody as a follower of their own. */
export const SELF_RELATION = { type: 'skipped', warnings: [`${IS_SELF}; dropped`] } as const;

export function reading<R, T>(parsed: Parsed<R>, timed: (record: R) => T): Reading<T> {
  if (parsed.ok) return { type: 'record', timed: timed(parsed.record), warnings: parsed.warnings };
  const reason = describeFaults(parsed.faults);
  if (reason === IS_SELF) return SELF_RELATION;
  const lacks_field = parsed.faults.some(({ message }) => message === IS_REQUIRED);
  return { type: 'bad', reason, warnings: [], lacks_field };
}

/** @param names the fields of the line as they are in the file */
function readRow<T>(spec: RecordSpec<T>, row: RowFields, names: () => readonly string[]): Reading<T> {
  if (row.is_skipped) return { type: 'skipped', warnings: row.warnings };
  const read = spec.parse(row.fields);
  if (read.type === 'bad' && read.lacks_field) return { ...read, warnings: row.warnings, fields: names() };
  if (row.warnings.length === 0 || !('warnings' in read)) return read;
  return { ...read, warnings: [...row.warnings, ...read.warnings] };
}

/** A name and a text, an integer or true, in JSON that may be broken. */
const JSON_PAIR = /(?<name>"[^"\\\p{Cc}]+")\s*:\s*(?<value>"[^"\\\p{Cc}]*"|[1-9]\d*|true)(?=\s*[,}])/gu;

export class JsonFormat<T> implements Format<T> {
  private readonly rowOf: ValueReader;

  /** @param file absent: the fields have the standard names */
  constructor(
    private readonly spec: RecordSpec<T>,
    { map, ...options }: ReadFile = {},
  ) {
    this.rowOf = map === undefined ? ownValues(spec, options) : mappedValues(spec, map, options);
  }

  rest({ value, text }: Row): T | undefined {
    if (value !== undefined) return this.restOf(value);
    const pairs = [...text.matchAll(JSON_PAIR)].map(({ groups }) => [groups?.name, groups?.value]);
    // Of equal names the first counts, because later ones may lie deeper.
    const said = `{${pairs.reverse().map((pair) => pair.join(':'))}}`;
    return this.restOf(parseJson(said, undefined, { long_numbers: 'text' }));
  }

  read({ value = {} }: Row): Reading<T> {
    return readRow(this.spec, this.rowOf(value), () => Object.keys(value));
  }

  private restOf(value: unknown): T | undefined {
    return isPlainObject(value) ? this.spec.rest?.(this.rowOf(value).fields) : undefined;
  }
}

export class CsvFormat<T> implements Format<T> {
  /** The columns of the fields; undefined before the header. */
  private columns: Columns | undefined;

  /** @param advice ends the fault of a header that lacks columns */
  constructor(
    private readonly spec: RecordSpec<T>,
    private readonly file: ReadFile,
    private readonly advice = '',
  ) {}

  read({ cells = [] }: Row): Reading<T> {
    if (this.columns !== undefined) return this.readCells(cells, this.columns);
    const { map, ...options } = this.file;
    const names = cells.map((cell) => cell.trim());
    const columns = columnsOf(names, this.spec, map, options);
    if ('fault' in columns) return { type: 'bad_header', reason: `header: ${columns.fault}${this.advice}` };
    this.columns = columns;
    if (!columns.is_headless) return { type: 'header', warnings: columns.warnings };
    const read = this.readCells(cells, columns);
    return 'warnings' in read ? { ...read, warnings: [...columns.warnings, ...read.warnings] } : read;
  }

  rest({ cells = [] }: Row): T | undefined {
    if (this.columns === undefined) return undefined;
    const { count, rowOf } = this.columns;
    return this.spec.rest?.(rowOf([...cells, ...Array<string>(count).fill('')]).fields);
  }

  private readCells(cells: readonly string[], { count, names, rowOf }: Columns): Reading<T> {
    if (cells.length === count) return readRow(this.spec, rowOf(cells), () => names);
    const reason = `expected ${count} fields as in the header; got ${cells.length}`;
    return { type: 'bad', reason, warnings: [] };
  }
}
