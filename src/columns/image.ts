import { COLUMN_TYPES, type Column, type ColumnType, isColumn } from './columns.ts';
import { type Outline, OutlineFit } from './image-fit.ts';

/**
 * Takes a state apart into columns and an outline, and restores it.
 *
 * Both are derived from the fields of the state's objects, so no column can be forgotten. Every field is included,
 * except for functions, which the constructor creates again, and fields that the class lists in `static transient`. A
 * restored state continues exactly like the original, down to the arena regions that lists get.
 */

/** A column of an image: `length` elements, all 0 after the first `used_bytes`. */
export interface ColumnSpec {
  type: ColumnType;
  length: number;
  used_bytes: number;
  /** The index of the column whose memory this one shares and which holds the bytes. */
  over?: number;
}

export interface Image {
  /** Everything but columns, as JSON. */
  outline: unknown;
  columns: ColumnSpec[];
  /** For each column that does not share memory: the used bytes, not copied. */
  bytes: Uint8Array[];
}

/** Number lists of this length are written as columns, since JSON would be slow. */
const LONG_LIST = 64;

/**
 * Takes an object apart. O(its size).
 * @throws Error for values that a state must not hold
 */
export function imageOf(root: object): Image {
  return new ImageBuilder().image(root);
}

/** An empty column for this description, to read bytes into. */
export function emptyColumn({ type, length }: ColumnSpec): Column {
  return type === 'Buffer' ? Buffer.alloc(length) : new COLUMN_TYPES[type](length);
}

/**
 * Restores an image into a new object of the same class.
 * @param columns shared columns are created here and may be undefined
 * @throws Error if the objects do not match; `root` is unchanged then
 */
export function restore(
  root: object,
  outline: unknown,
  specs: readonly ColumnSpec[],
  columns: readonly (Column | undefined)[],
): void {
  const all = specs.map(({ type, over }, index) => {
    const column = columns[over ?? index];
    if (column === undefined) throw new Error('a column is missing');
    if (over === undefined || type === 'Buffer') return column;
    return new COLUMN_TYPES[type](column.buffer as ArrayBuffer);
  });
  const empty = imageOf(root);
  new OutlineFit({ specs, empty_specs: empty.columns }).require(outline as Outline, empty.outline as Outline);
  put(outline as Outline, root, all);
}

class ImageBuilder {
  private readonly columns: ColumnSpec[] = [];
  private readonly bytes: Uint8Array[] = [];
  private readonly buffers = new Map<ArrayBufferLike, number>();
  /** Objects with a class of their own that were visited. They are stored where they were found first. */
  private readonly visited = new Set<object>();

  image(root: object): Image {
    return { outline: this.take(root), columns: this.columns, bytes: this.bytes };
  }

  private take(value: unknown): Outline {
    if (value === undefined) return null;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      return Number.isFinite(value) && !Object.is(value, -0) ? value : { number: numberText(value) };
    }
    if (isColumn(value)) return { column: this.takeColumn(value) };
    if (Array.isArray(value)) {
      const numbers = value.length >= LONG_LIST ? asColumn(value) : undefined;
      if (numbers !== undefined) return { list: this.takeColumn(numbers) };
      return value.map((each) => this.take(each));
    }
    if (value instanceof Map) {
      return { map: [...value].map(([key, each]) => [key as string | number, this.take(each)]) };
    }
    if (typeof value === 'object' && value !== null && !(value instanceof Set)) return this.takeFields(value);
    throw new Error(`a state cannot hold ${String(value)}`);
  }

  private takeFields(value: object): Outline {
    this.visited.add(value);
    const { name, transient = [] } = value.constructor as { name: string; transient?: readonly string[] };
    const fields: Record<string, Outline> = {};
    for (const [field, held] of Object.entries(value)) {
      const elsewhere = typeof held === 'object' && held !== null && this.visited.has(held);
      if (typeof held === 'function' || elsewhere || transient.includes(field)) continue;
      fields[field] = this.take(held);
    }
    return { of: name, fields };
  }

  private takeColumn(column: Column): number {
    const { buffer, byteOffset, byteLength, length } = column;
    const type = column.constructor.name as ColumnType;
    if (byteOffset !== 0 || byteLength !== buffer.byteLength)
      throw new Error('a column covers only a part of its buffer');
    const over = this.buffers.get(buffer);
    const bytes = over === undefined ? withoutZeros(new Uint8Array(buffer)) : new Uint8Array(0);
    this.columns.push({ type, length, used_bytes: bytes.length, over });
    if (over === undefined) {
      this.buffers.set(buffer, this.columns.length - 1);
      this.bytes.push(bytes);
    }
    return this.columns.length - 1;
  }
}

/** Converts a list of numbers, to 4-byte integers if possible. Undefined for other lists. */
function asColumn(list: readonly unknown[]): Column | undefined {
  if (list.every((each) => typeof each === 'number' && (each | 0) === each && !Object.is(each, -0))) {
    return Int32Array.from(list as number[]);
  }
  return list.every((each) => typeof each === 'number') ? Float64Array.from(list) : undefined;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The bytes up to the last that is not 0, rounded up to 8 if the array is long enough. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  let length = bytes.length;
  while (length % 8 !== 0 && bytes[length - 1] === 0) length--;
  if (length % 8 !== 0) return bytes.subarray(0, length);
  const words = new Int32Array(bytes.buffer, 0, length / 4);
  let words_used = words.length;
  while (words_used > 0 && words[words_used - 1] === 0) words_used--;
  return bytes.subarray(0, Math.ceil(words_used / 2) * 8);
}

/** The value of an outline. An existing object is filled instead of replaced. */
function put(outline: Outline, present: unknown, columns: readonly Column[]): unknown {
  if (outline === null) return undefined;
  if (typeof outline !== 'object') return outline;
  if (Array.isArray(outline)) return outline.map((each) => put(each, undefined, columns));
  if ('number' in outline) return Number(outline.number);
  if ('column' in outline) return columns[outline.column];
  if ('list' in outline) return Array.from(columns[outline.list]);
  if ('map' in outline) {
    const map = present instanceof Map ? present : new Map<string | number, unknown>();
    for (const [key, each] of outline.map) map.set(key, put(each, map.get(key), columns));
    return map;
  }
  return putFields(outline, present, columns);
}

function putFields(
  { of, fields }: { of: string; fields: Record<string, Outline> },
  present: unknown,
  columns: readonly Column[],
): object {
  const target = (present ?? {}) as Record<string, unknown>;
  if (target.constructor.name !== of) throw new Error(`expected an object of class ${of}`);
  for (const [field, held] of Object.entries(fields)) target[field] = put(held, target[field], columns);
  return target;
}
