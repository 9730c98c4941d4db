import { csvFields } from '../../../../interchange/csv.ts';
import { type CellTypes, cellTypesOf, coerceCsv } from '../../../../model/values/cells.ts';
import type { Kind } from './kinds.ts';
import type { Schema } from './schema.ts';

/** Where the values of a field come from: a column, or one text for all lines. */
export type Source = { column: string; values: ReadonlyMap<string, string> } | { text: string };

export type Mapping = ReadonlyMap<string, Source>;

export const TIME_UNITS = { s: 1, ms: 1_000, us: 1_000_000 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

export type Fields = Record<string, unknown>;

export interface Reading {
  kind: Kind;
  is_csv: boolean;
  mapping: Mapping;
  time_unit: TimeUnit;
  /** The schema of its records. */
  schema: Schema;
}

/** What a line means. `open`: its record goes on in the next line. */
export type Line = { record: Fields } | { fault: string } | 'nothing' | 'open';

const TIMES = new Set(['timestamp', 'created_at', 'updated_at']);

/** Reads the lines of one file in order. */
export class RecordReader {
  private columns: readonly string[] | undefined;

  private readonly cells: CellTypes;

  constructor(private readonly how: Reading) {
    this.cells = cellTypesOf(how.schema);
  }

  /** @param text one line, or several of one record that was `open` */
  read(text: string): Line {
    if (text.trim() === '') return 'nothing';
    const found = this.how.is_csv ? this.readRow(text) : this.readJson(text);
    return typeof found === 'object' && 'record' in found ? { record: this.finished(found.record) } : found;
  }

  private readRow(text: string): Line {
    const cells = csvFields(text);
    if (cells === undefined) return 'open';
    if (this.columns === undefined) {
      this.columns = cells.map((cell) => cell.trim());
      return 'nothing';
    }
    const { length } = this.columns;
    if (cells.length !== length)
      return { fault: `expected ${length} fields as in the header; got ${cells.length}` };
    const row: Record<string, string> = {};
    for (const [field, source] of this.how.mapping) {
      if ('text' in source) row[field] = source.text;
      else {
        const cell = cells[this.columns.indexOf(source.column)] ?? '';
        row[field] = source.values.get(cell) ?? cell;
      }
    }
    return { record: { ...coerceCsv(this.cells, row) } };
  }

  private readJson(text: string): Line {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      // Some browsers name the line and column of the text, which is one line.
      const why = error instanceof Error ? error.message.replace(/ \(line .*\)$/, '') : String(error);
      return { fault: `not valid JSON: ${why}` };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { fault: 'expected a JSON object' };
    return { record: renamed(value as Fields, this.how, this.cells) };
  }

  /** The record with times in seconds, as the API takes it. */
  private finished(record: Fields): Fields {
    const divisor = TIME_UNITS[this.how.time_unit];
    if (divisor !== 1) {
      for (const name of TIMES) {
        const value = record[name];
        if (typeof value === 'number') record[name] = value / divisor;
      }
    }
    return record;
  }
}

/** The object with the names of the mapping. Fields that no mapping names stay. */
function renamed(value: Fields, { mapping }: Reading, cells: CellTypes): Fields {
  const used = new Set([...mapping.values()].flatMap((source) => ('column' in source ? source.column : [])));
  const own = Object.fromEntries(
    Object.entries(value).filter(([name]) => !used.has(name) && !mapping.has(name)),
  );
  for (const [field, source] of mapping) {
    if ('text' in source) own[field] = coerceCsv(cells, { [field]: source.text })[field];
    else if (Object.hasOwn(value, source.column)) {
      const given = value[source.column];
      own[field] = source.values.get(String(given)) ?? given;
    }
  }
  return own;
}

/** The record as the ingest API takes it. Counters of an item are a change of the item. */
export function sentForm(kind: Kind, record: Fields): Fields {
  if (kind !== 'engagement') return record;
  const { timestamp, ...counts } = record;
  return { ...counts, updated_at: timestamp };
}

/** `from:to, from:to` as it is typed. Parts without a colon are not ready yet. */
export function replacementsIn(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(':', 2).map((part) => part.trim()));
  return new Map(pairs.flatMap(([from, to]) => (to === undefined ? [] : [[from, to] as const])));
}
