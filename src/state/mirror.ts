import { type Pointer, ptr, toArrayBuffer } from 'bun:ffi';
import { COLUMN_TYPES, type ColumnType, isColumn } from './columns.ts';
import type { NumericArray } from './growable.ts';

/**
 * A state that another thread reads where it lies. Whoever writes it publishes where its columns are and what its
 * numbers say; a reader has objects of the same make, whose columns lie over the same memory. Nothing is copied but a few
 * hundred numbers. Both sides find the fields in the same way, as an image does (`image.ts`): every column and number of every
 * object, but for those that its class says are its own working place (`static scratch`), or that a reader does not ask for
 * or has of its own (`static unshared`). Maps, sets and lists are the writer's alone, but for lists of columns (`static column_lists`).
 *
 * It holds only while nothing is written: what was published is good until the next change, and whoever changes
 * anything waits until no reader is at work. A reader writes nothing.
 */

/** Where a column lies. */
export interface ColumnPlace {
  /** Among the fields that hold columns. */
  field: number;
  /** In the list that the field holds; NONE where it holds the column itself. */
  index: number;
  type: ColumnType;
  /** Address in this process. */
  pointer: Pointer;
  bytes: number;
}

/** What a reader must know before it reads again. */
export interface Publication {
  /** Of all fields that hold numbers, in order. */
  numbers: Float64Array;
  /** Columns that lie elsewhere than before. */
  columns: ColumnPlace[];
}

const NONE = -1;

/** What a class says of the fields of its objects. */
interface Told {
  scratch?: readonly string[];
  unshared?: readonly string[];
  /** They hold lists of columns, which may be empty yet. */
  column_lists?: readonly string[];
}

type Holder = Record<string, unknown>;

/** The fields of some objects and of all that they hold. */
class Fields {
  readonly numbers: { holder: Holder; name: string }[] = [];
  readonly columns: { holder: Holder; name: string }[] = [];
  private readonly met = new Set<object>();

  constructor(roots: readonly object[]) {
    for (const root of roots) this.find(root);
  }

  private find(held: object): void {
    if (this.met.has(held)) return;
    this.met.add(held);
    const { scratch = [], unshared = [], column_lists = [] } = held.constructor as Told;
    const holder = held as Holder;
    for (const [name, value] of Object.entries(holder)) {
      if (scratch.includes(name) || unshared.includes(name)) continue;
      if (typeof value === 'number') this.numbers.push({ holder, name });
      else if (isColumn(value) || column_lists.includes(name)) this.columns.push({ holder, name });
      else if (isObject(value)) this.find(value);
    }
  }
}

/** The writer's side. */
export class MirrorSource {
  private readonly fields: Fields;
  /** Of each field with columns, those that were told of. */
  private readonly told: (NumericArray | undefined)[][];

  /** @param roots all objects that they hold must be there already, though their columns may grow */
  constructor(roots: readonly object[]) {
    this.fields = new Fields(roots);
    this.told = this.fields.columns.map(() => []);
  }

  /** What a reader must know, given everything before. O(fields). */
  publish(): Publication {
    const { numbers } = this.fields;
    const values = new Float64Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      const { holder, name } = numbers[at];
      values[at] = holder[name] as number;
    }
    return { numbers: values, columns: this.moved() };
  }

  private moved(): ColumnPlace[] {
    const moved: ColumnPlace[] = [];
    const { columns } = this.fields;
    for (let field = 0; field < columns.length; field++) {
      const { holder, name } = columns[field];
      const held = holder[name] as NumericArray | NumericArray[];
      const told = this.told[field];
      if (!Array.isArray(held)) {
        if (told[0] !== held) moved.push(placeOf(held, field, NONE));
        told[0] = held;
        continue;
      }
      for (let index = 0; index < held.length; index++) {
        if (told[index] !== held[index]) moved.push(placeOf(held[index], field, index));
        told[index] = held[index];
      }
    }
    return moved;
  }
}

/** A reader's side, over objects of the same make. */
export class Mirror {
  private readonly fields: Fields;

  constructor(roots: readonly object[]) {
    this.fields = new Fields(roots);
  }

  /**
   * Takes over what was published, each once and in order.
   * @throws Error when the objects are not of the same make
   */
  adopt({ numbers, columns }: Publication): void {
    const { fields } = this;
    if (numbers.length !== fields.numbers.length) throw new Error('a mirror of something else');
    for (const { field, index, type, pointer, bytes } of columns) {
      const { holder, name } = fields.columns[field];
      const column = columnAt(type, pointer, bytes);
      if (index === NONE) holder[name] = column;
      else (holder[name] as NumericArray[])[index] = column;
    }
    for (let at = 0; at < numbers.length; at++) {
      const { holder, name } = fields.numbers[at];
      holder[name] = numbers[at];
    }
  }
}

function placeOf(column: NumericArray, field: number, index: number): ColumnPlace {
  const { byteLength: bytes, byteOffset } = column;
  // Asked for its buffer, a short array moves out of the engine's heap to where it stays.
  if (byteOffset !== 0 || bytes !== column.buffer.byteLength) throw new Error('a column is part of another');
  const type = column.constructor.name as ColumnType;
  return { field, index, type, pointer: ptr(column), bytes };
}

function columnAt(type: ColumnType, pointer: Pointer, bytes: number): NumericArray {
  // Nothing lies anywhere.
  const memory = bytes === 0 ? new ArrayBuffer(0) : toArrayBuffer(pointer, 0, bytes);
  return type === 'Buffer' ? Buffer.from(memory) : new COLUMN_TYPES[type](memory);
}

function isObject(value: unknown): value is object {
  const is_list = Array.isArray(value) || value instanceof Map || value instanceof Set;
  return typeof value === 'object' && value !== null && !is_list;
}
