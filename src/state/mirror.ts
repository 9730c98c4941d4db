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
 * It holds only while nothing is written: whoever changes anything waits until no reader is at work, and publishes
 * before the next one is. A reader writes nothing.
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

/** Where columns lie, as far as that has changed. */
export interface Places {
  columns: ColumnPlace[];
  /** Of `MirrorMemory.versions`, that all places are of then. */
  version: number;
}

/** What both sides see at any time. */
export interface MirrorMemory {
  /** Of all fields that hold numbers, in order. */
  numbers: Float64Array<SharedArrayBuffer>;
  /** How often numbers were published, and how often columns were found to lie elsewhere. */
  versions: Int32Array<SharedArrayBuffer>;
}

const NUMBERS = 0;
const COLUMNS = 1;

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

/** The writer's side, for any number of readers. */
export class MirrorSource {
  readonly memory: MirrorMemory;
  private readonly fields: Fields;
  /** Of each field with columns, where these lay when it was last published, and since which version. */
  private readonly told: { column: NumericArray; version: number }[][];

  /** @param roots all objects that they hold must be there already, though their columns may grow */
  constructor(roots: readonly object[]) {
    this.fields = new Fields(roots);
    this.told = this.fields.columns.map(() => []);
    const { length } = this.fields.numbers;
    this.memory = {
      numbers: new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT)),
      versions: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    };
    this.publish();
  }

  /** Tells readers of everything that is new. O(fields). */
  publish(): void {
    const { numbers, versions } = this.memory;
    const { numbers: fields } = this.fields;
    for (let at = 0; at < fields.length; at++) {
      const { holder, name } = fields[at];
      numbers[at] = holder[name] as number;
    }
    versions[NUMBERS]++;
    if (this.noteMoved(versions[COLUMNS] + 1)) versions[COLUMNS]++;
  }

  /** Where columns lie, but for what has been there since a version. */
  movedSince(version: number): Places {
    const columns: ColumnPlace[] = [];
    const now = this.memory.versions[COLUMNS];
    // Mostly nothing has moved, and it is asked for every few pages.
    if (version === now) return { columns, version };
    for (const [field, told] of this.told.entries()) {
      const in_list = Array.isArray(this.held(field));
      for (const [index, { column, version: since }] of told.entries()) {
        if (since > version) columns.push(placeOf(column, field, in_list ? index : NONE));
      }
    }
    return { columns, version: now };
  }

  private held(field: number): NumericArray | NumericArray[] {
    const { holder, name } = this.fields.columns[field];
    return holder[name] as NumericArray | NumericArray[];
  }

  private noteMoved(version: number): boolean {
    let moved = false;
    const note = (told: { column: NumericArray; version: number }[], index: number, column: NumericArray) => {
      if (told[index]?.column === column) return;
      told[index] = { column, version };
      moved = true;
    };
    for (let field = 0; field < this.told.length; field++) {
      const held = this.held(field);
      const told = this.told[field];
      if (!Array.isArray(held)) note(told, 0, held);
      else for (let index = 0; index < held.length; index++) note(told, index, held[index]);
    }
    return moved;
  }
}

/** A reader's side, over objects of the same make. */
export class Mirror {
  private readonly fields: Fields;
  /** What has been taken over. */
  private numbers_version = 0;
  private places_version = 0;

  /** @throws Error when the objects are not of the same make */
  constructor(
    roots: readonly object[],
    private readonly memory: MirrorMemory,
  ) {
    this.fields = new Fields(roots);
    if (memory.numbers.length !== this.fields.numbers.length) throw new Error('a mirror of something else');
  }

  /** Takes over where columns lie. What was told later is taken over later. */
  place({ columns, version }: Places): void {
    for (const { field, index, type, pointer, bytes } of columns) {
      const { holder, name } = this.fields.columns[field];
      const column = columnAt(type, pointer, bytes);
      if (index === NONE) holder[name] = column;
      else (holder[name] as NumericArray[])[index] = column;
    }
    this.places_version = version;
  }

  /** Whether columns lie where they are taken to lie: else nothing may be read. */
  get is_placed(): boolean {
    return this.places_version === this.memory.versions[COLUMNS];
  }

  /** Takes over the numbers. @returns false when there is nothing new */
  catchUp(): boolean {
    const { numbers, versions } = this.memory;
    if (this.numbers_version === versions[NUMBERS]) return false;
    this.numbers_version = versions[NUMBERS];
    const { numbers: fields } = this.fields;
    for (let at = 0; at < fields.length; at++) {
      const { holder, name } = fields[at];
      holder[name] = numbers[at];
    }
    return true;
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
