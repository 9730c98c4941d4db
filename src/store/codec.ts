import type { Change } from '../state/change.ts';
import { type Numbers, numberOf, rowOf, type StoredRows } from './rows.ts';
import {
  CHANGE_TABLES,
  type ChangeTable,
  type ColumnData,
  type ColumnType,
  type Kind,
  type Value,
} from './tables.ts';

/**
 * Changes ⇄ one buffer, column by column, so that a batch travels to the writer as a transferred buffer:
 * cloning the objects would cost the serving thread a hundred times more. It lives within one process
 * and for one message; it is no file format. Stored rows come back in the same way.
 *
 * Layout of a batch, every section padded to 8 bytes: row count · kind of each row · applied_at of each row · for
 * each kind that occurs, in the order of `CHANGE_TABLES`, its columns (numbers as a typed array; text as
 * lengths in UTF-16 units, byte length, UTF-8; packed as byte lengths, then the bytes).
 */

const CODE_OF = Object.fromEntries(CHANGE_TABLES.map((entry, code) => [entry.kind, code])) as Record<
  Kind,
  number
>;
const encoder = new TextEncoder();
// `ignoreBOM` keeps a leading U+FEFF, which is part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The rows of one table within a batch. */
export interface TableRows {
  table: ChangeTable;
  /** Index of each row within the batch: its `seq` is base + 1 + position. */
  positions: Uint32Array;
  applied_at: Float64Array;
  columns: ColumnData[];
}

export interface Batch {
  /** Rows over all tables. */
  rows: number;
  tables: TableRows[];
}

class Sections {
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  add(part: ArrayBufferView): void {
    this.parts.push(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    this.length += aligned(part.byteLength);
  }

  joined(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.length);
    let offset = 0;
    for (const part of this.parts) {
      bytes.set(part, offset);
      offset += aligned(part.byteLength);
    }
    return bytes;
  }
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

type Row = readonly (Value | Numbers)[];

function addColumn(sections: Sections, type: ColumnType, rows: readonly Row[], index: number): void {
  const count = rows.length;
  if (type === 'text') {
    const lengths = new Uint32Array(count + 1);
    const texts: string[] = new Array(count);
    for (let row = 0; row < count; row++) {
      const text = rows[row][index] as string;
      texts[row] = text;
      lengths[row] = text.length;
    }
    const bytes = encoder.encode(texts.join(''));
    lengths[count] = bytes.length;
    sections.add(lengths);
    sections.add(bytes);
  } else if (type === 'packed') {
    const blobs = rows.map((row) => row[index] as Uint8Array | Numbers);
    sections.add(Uint32Array.from(blobs, ({ byteLength }) => byteLength));
    sections.add(together(blobs));
  } else {
    const values = numbersFor(type, count);
    for (let row = 0; row < count; row++) values[row] = numberOf(rows[row][index] as Value);
    sections.add(values);
  }
}

/** Bytes and numbers one behind the other, each padded to 8 bytes. To ask each for its buffer would take longer than to copy it. */
function together(blobs: readonly (Uint8Array | Numbers)[]): Uint8Array {
  const bytes = new Uint8Array(blobs.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0));
  const { buffer } = bytes;
  const [keys, doubles] = [new Uint32Array(buffer), new Float64Array(buffer)];
  let at = 0;
  for (const blob of blobs) {
    if (blob instanceof Uint32Array) keys.set(blob, at / keys.BYTES_PER_ELEMENT);
    else if (blob instanceof Float64Array) doubles.set(blob, at / doubles.BYTES_PER_ELEMENT);
    else bytes.set(blob, at);
    at += aligned(blob.byteLength);
  }
  return bytes;
}

function numbersFor(type: Exclude<ColumnType, 'text' | 'packed'>, count: number) {
  if (type === 'code') return new Uint8Array(count);
  return type === 'key' ? new Int32Array(count) : new Float64Array(count);
}

/** About 0.3 µs for an interaction; the JSON text of items and users comes on top. */
export function encodeBatch(changes: readonly Change[]): Uint8Array<ArrayBuffer> {
  const count = changes.length;
  const kinds = new Uint8Array(count);
  const applied_at = new Float64Array(count);
  const rows: Row[][] = CHANGE_TABLES.map(() => []);
  for (let index = 0; index < count; index++) {
    const change = changes[index];
    const code = CODE_OF[change.kind];
    kinds[index] = code;
    applied_at[index] = change.applied_at;
    rows[code].push(rowOf(change));
  }
  const sections = new Sections();
  sections.add(new Uint32Array([count]));
  sections.add(kinds);
  sections.add(applied_at);
  for (const [code, entry] of CHANGE_TABLES.entries()) {
    if (rows[code].length === 0) continue;
    for (const [index, column] of entry.columns.entries()) {
      addColumn(sections, column.type, rows[code], index);
    }
  }
  return sections.joined();
}

class SectionReader {
  private offset: number;
  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {
    this.offset = bytes.byteOffset;
  }

  private advance(byte_length: number): number {
    const start = this.offset;
    this.offset += aligned(byte_length);
    return start;
  }

  codes(count: number): Uint8Array {
    return new Uint8Array(this.bytes.buffer, this.advance(count), count);
  }

  unsigned(count: number): Uint32Array {
    return new Uint32Array(this.bytes.buffer, this.advance(count * 4), count);
  }

  keys(count: number): Int32Array {
    return new Int32Array(this.bytes.buffer, this.advance(count * 4), count);
  }

  floats(count: number): Float64Array {
    return new Float64Array(this.bytes.buffer, this.advance(count * 8), count);
  }

  texts(count: number): string[] {
    const lengths = this.unsigned(count + 1);
    const all = decoder.decode(this.codes(lengths[count]));
    const texts: string[] = new Array(count);
    let start = 0;
    for (let row = 0; row < count; row++) {
      texts[row] = all.slice(start, start + lengths[row]);
      start += lengths[row];
    }
    return texts;
  }

  column(type: ColumnType, count: number): ColumnData {
    switch (type) {
      case 'text':
        return this.texts(count);
      case 'packed':
        return Array.from(this.unsigned(count), (length) => this.codes(length));
      case 'code':
        return this.codes(count);
      case 'key':
        return this.keys(count);
      case 'count':
      case 'time':
        return this.floats(count);
    }
  }
}

/**
 * The inverse of `encodeBatch`, as columns by table: the writer binds them without ever building a
 * change. The columns are views into `bytes`, which must start on a multiple of 8 of its buffer.
 */
export function decodeBatch(bytes: Uint8Array<ArrayBuffer>): Batch {
  const reader = new SectionReader(bytes);
  const [rows] = reader.unsigned(1);
  const kinds = reader.codes(rows);
  const applied_at = reader.floats(rows);
  const tables: TableRows[] = [];
  for (const [code, table] of CHANGE_TABLES.entries()) {
    const positions: number[] = [];
    for (let row = 0; row < rows; row++) if (kinds[row] === code) positions.push(row);
    if (positions.length === 0) continue;
    tables.push({
      table,
      positions: Uint32Array.from(positions),
      applied_at: Float64Array.from(positions, (position) => applied_at[position]),
      columns: table.columns.map((column) => reader.column(column.type, positions.length)),
    });
  }
  return { rows, tables };
}

/**
 * Rows as a database gives them (`seq`, `applied_at`, then the columns in order) as one buffer, which may travel to
 * another thread.
 */
export function encodeRows(table: ChangeTable, rows: readonly Value[][]): Uint8Array<ArrayBuffer> {
  const sections = new Sections();
  sections.add(new Uint32Array([rows.length]));
  addColumn(sections, 'count', rows, 0);
  addColumn(sections, 'time', rows, 1);
  for (const [index, { type }] of table.columns.entries()) addColumn(sections, type, rows, index + 2);
  return sections.joined();
}

/** The inverse of `encodeRows`; the columns are views into `bytes`, as of `decodeBatch`. */
export function decodeRows({ columns }: ChangeTable, bytes: Uint8Array<ArrayBuffer>): StoredRows {
  const reader = new SectionReader(bytes);
  const [count] = reader.unsigned(1);
  return {
    count,
    seqs: reader.floats(count),
    applied_at: reader.floats(count),
    columns: columns.map(({ type }) => reader.column(type, count)),
  };
}

/** Row `index` of `rows` as it is bound: `seq`, `applied_at`, then the columns in order. */
export function boundRow(rows: TableRows, index: number, base: number): (string | number | Uint8Array)[] {
  const row: (string | number | Uint8Array)[] = [base + 1 + rows.positions[index], rows.applied_at[index]];
  for (const column of rows.columns) row.push(column[index]);
  return row;
}
