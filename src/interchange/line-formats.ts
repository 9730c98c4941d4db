/** How lines of a file become records: JSON lines and CSV. */

import { type Columns, columnsOf } from '../mapping/columns.ts';
import type { RowFields, RowOptions } from '../mapping/field-reader.ts';
import type { FieldMap } from '../mapping/map.ts';
import type { RowType } from '../mapping/row-type.ts';
import { mappedValues, ownValues, type ValueReader } from '../mapping/values.ts';
import { OTHER_USER } from '../model/records/relation.ts';
import { IS_REQUIRED, type Parsed } from '../model/values/record.ts';
import { describeFaults, isPlainObject } from '../model/values/refusal.ts';
import { repeatedAt } from '../model/values/repeated.ts';
import { type JsonPath, parseJson, TooNested } from '../plugin/index.ts';
import { csvFields } from './csv.ts';

export type Reading<T> =
  | { type: 'record'; timed: T; warnings: readonly string[] }
  | { type: 'header'; warnings: readonly string[] }
  /** The record continues in the next line. */
  | { type: 'open' }
  /** The line says nothing. */
  | { type: 'blank' }
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
  read(text: string): Reading<T>;
  /**
   * What a line that stays out still decides, as far as it can be read: its item must not be described by acts, and its
   * `hidden` counts. Otherwise the import would publish what the line withholds.
   */
  rest?(text: string): T | undefined;
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

export function reading<R, T>(parsed: Parsed<R>, timed: (record: R) => T): Reading<T> {
  if (parsed.ok) return { type: 'record', timed: timed(parsed.record), warnings: parsed.warnings };
  const reason = describeFaults(parsed.faults);
  // Some software stores everybody as a follower of their own.
  if (reason === IS_SELF) return { type: 'skipped', warnings: [`${reason}; dropped`] };
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

  rest(text: string): T | undefined {
    try {
      return this.restOf(text);
    } catch {
      const pairs = [...text.matchAll(JSON_PAIR)].map(({ groups }) => [groups?.name, groups?.value]);
      // Of equal names the first counts, because later ones may lie deeper.
      return this.restOf(`{${pairs.reverse().map((pair) => pair.join(':'))}}`);
    }
  }

  read(text: string): Reading<T> {
    let value: unknown;
    const repeated: JsonPath[] = [];
    try {
      value = parseJson(text, undefined, { repeated, long_numbers: 'noted' });
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      const reason = error instanceof TooNested ? fault : `not valid JSON: ${fault}`;
      return { type: 'bad', reason, warnings: [] };
    }
    if (repeated.length > 0)
      return { type: 'bad', reason: describeFaults(repeated.map(repeatedAt)), warnings: [] };
    if (value === null) return { type: 'blank' };
    if (!isPlainObject(value)) return this.spec.parse(value);
    const names = Object.keys(value);
    return readRow(this.spec, this.rowOf(value), () => names);
  }

  /** @throws Error for broken JSON, or too many levels */
  private restOf(text: string): T | undefined {
    const value = parseJson(text, undefined, { long_numbers: 'text' });
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

  read(text: string): Reading<T> {
    const cells = csvFields(text);
    if (cells === undefined) return { type: 'open' };
    if (this.columns !== undefined) return this.readCells(cells, this.columns);
    const { map, ...options } = this.file;
    const first = cells.map((cell) => cell.trim());
    const columns = columnsOf(first, this.spec, map, options);
    if ('fault' in columns) return { type: 'bad_header', reason: `header: ${columns.fault}${this.advice}` };
    this.columns = columns;
    return columns.is_headless
      ? this.readCells(first, columns)
      : { type: 'header', warnings: columns.warnings };
  }

  rest(text: string): T | undefined {
    if (this.columns === undefined) return undefined;
    const { count, rowOf } = this.columns;
    const cells = csvFields(text) ?? text.split(',');
    return this.spec.rest?.(rowOf([...cells, ...Array<string>(count).fill('')]).fields);
  }

  private readCells(cells: readonly string[], { count, names, rowOf }: Columns): Reading<T> {
    if (cells.length === count) return readRow(this.spec, rowOf(cells), () => names);
    if (cells.every((cell) => cell === '')) return { type: 'blank' };
    const reason = `expected ${count} fields as in the header; got ${cells.length}`;
    return { type: 'bad', reason, warnings: [] };
  }
}
