/** How lines of a file become records: JSON lines and CSV. */

import { type FieldNames, IS_REQUIRED, type Parsed, unknownField } from '../model/values/record.ts';
import { describeFaults, isPlainObject } from '../model/values/refusal.ts';
import { repeatedAt } from '../model/values/repeated.ts';
import { type JsonPath, parseJson, TooNested } from '../plugin/index.ts';
import { type Columns, columnsOf } from './columns.ts';
import { csvFields } from './csv.ts';
import type { FileMap } from './files.ts';

export type Reading<T> =
  | { type: 'record'; timed: T; warnings: readonly string[] }
  | { type: 'header'; warnings: readonly string[] }
  /** The record continues in the next line. */
  | { type: 'open' }
  /** `fields`: the fields of a line that lacks one (`lacks_field`). */
  | { type: 'bad'; reason: string; lacks_field?: boolean; fields?: readonly string[] }
  /** A header without which no line can be understood. */
  | { type: 'bad_header'; reason: string };

/** Reads the records of one file in order. */
export interface Format<T> {
  read(text: string): Reading<T>;
  /**
   * What a bad line still decides, as far as it can be read: its item must not be described by acts, and its `hidden`
   * counts. Otherwise the import would publish what the line withholds.
   */
  rest?(text: string): T | undefined;
}

/** A name and a text, an integer or true, in JSON that may be broken. */
const JSON_PAIR = /(?<name>"[^"\\\p{Cc}]+")\s*:\s*(?<value>"[^"\\\p{Cc}]*"|[1-9]\d*|true)(?=\s*[,}])/gu;

export class JsonFormat<T> implements Format<T> {
  /** @param restOf as `Format.rest`, for the value of a bad line */
  constructor(
    private readonly readValue: (value: unknown) => Reading<T>,
    private readonly restOf: (value: unknown) => T | undefined = () => undefined,
  ) {}

  rest(text: string): T | undefined {
    try {
      return this.restOf(JSON.parse(text));
    } catch {
      const pairs = [...text.matchAll(JSON_PAIR)].map(({ groups }) => [groups?.name, groups?.value]);
      // Of equal names the first counts, because later ones may lie deeper.
      return this.restOf(JSON.parse(`{${pairs.reverse().map((pair) => pair.join(':'))}}`));
    }
  }

  read(text: string): Reading<T> {
    let value: unknown;
    const repeated: JsonPath[] = [];
    try {
      value = parseJson(text, undefined, { repeated, long_numbers: 'noted' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { type: 'bad', reason: error instanceof TooNested ? reason : `not valid JSON: ${reason}` };
    }
    if (repeated.length > 0) return { type: 'bad', reason: describeFaults(repeated.map(repeatedAt)) };
    const read = this.readValue(value);
    return lacksField(read) && isPlainObject(value) ? { ...read, fields: Object.keys(value) } : read;
  }
}

function lacksField<T>(read: Reading<T>): read is Extract<Reading<T>, { type: 'bad' }> {
  return read.type === 'bad' && read.lacks_field === true;
}

export function reading<R, T>(parsed: Parsed<R>, timed: (record: R) => T): Reading<T> {
  if (!parsed.ok) {
    const lacks_field = parsed.faults.some(({ message }) => message === IS_REQUIRED);
    return { type: 'bad', reason: describeFaults(parsed.faults), lacks_field };
  }
  return { type: 'record', timed: timed(parsed.record), warnings: parsed.warnings };
}

/** How the rows of a kind of CSV file become records. */
export interface CsvSpec<T> extends FieldNames {
  read(row: Record<string, string>): Reading<T>;
  /** As `Format.rest`. */
  rest?(row: Record<string, string>): T | undefined;
  /** Advice if a header lacks columns. */
  advice?: string;
}

export class CsvFormat<T> implements Format<T> {
  /** The columns of the fields; undefined before the header. */
  private columns: Columns | undefined;

  constructor(
    private readonly csv: CsvSpec<T>,
    private readonly map?: FileMap,
  ) {}

  read(text: string): Reading<T> {
    const cells = csvFields(text);
    if (cells === undefined) return { type: 'open' };
    if (this.columns === undefined) return this.readHeader(cells);
    const { count, names, rowOf } = this.columns;
    if (cells.length !== count) {
      return { type: 'bad', reason: `expected ${count} fields as in the header; got ${cells.length}` };
    }
    const read = this.csv.read(rowOf(cells));
    return lacksField(read) ? { ...read, fields: names } : read;
  }

  rest(text: string): T | undefined {
    if (this.columns === undefined) return undefined;
    const { count, rowOf } = this.columns;
    const cells = csvFields(text) ?? text.split(',');
    return this.csv.rest?.(rowOf([...cells, ...Array<string>(count).fill('')]));
  }

  private readHeader(cells: readonly string[]): Reading<T> {
    const header = columnsOf(
      cells.map((cell) => cell.trim()),
      this.csv,
      this.map,
    );
    if ('fault' in header) {
      return { type: 'bad_header', reason: `header: ${header.fault}${this.csv.advice ?? ''}` };
    }
    this.columns = header;
    return { type: 'header', warnings: header.unknown.map(unknownField) };
  }
}
