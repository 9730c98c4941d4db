import { grown } from './growable.ts';
import { TextColumn } from './text-column.ts';

/** The type of a value. Strings and JSON are stored as texts, numbers in a column of their own. */
const TAG = { none: 0, null: 1, false: 2, true: 3, number: 4, string: 5, json: 6 } as const;

/**
 * A JSON value per ordinal.
 *
 * Takes 1 byte without a value, for `null` and for booleans, and 9 for a number if the column has any. Strings, lists
 * and objects are stored as texts (`TextColumn`), the latter two as JSON.
 */
export class ValueColumn {
  private tags = new Uint8Array(64);
  private numbers = new Float64Array(0);
  private readonly texts = new TextColumn();

  /** Undefined without a value. O(1), but each call decodes texts and parses JSON. */
  get(ordinal: number): unknown {
    if (ordinal < 0 || ordinal >= this.tags.length) return undefined;
    switch (this.tags[ordinal]) {
      case TAG.null:
        return null;
      case TAG.false:
        return false;
      case TAG.true:
        return true;
      case TAG.number:
        return this.numbers[ordinal];
      case TAG.string:
        return this.texts.get(ordinal);
      case TAG.json:
        return JSON.parse(this.texts.get(ordinal));
      default:
        return undefined;
    }
  }

  /** @param value any JSON value; undefined forgets the value */
  set(ordinal: number, value: unknown): void {
    this.clear(ordinal);
    if (value === undefined) return;
    this.tags = grown(this.tags, ordinal + 1);
    const tag = tagOf(value);
    this.tags[ordinal] = tag;
    this.texts.set(ordinal, textOf(tag, value));
    if (tag !== TAG.number) return;
    this.numbers = grown(this.numbers, this.tags.length);
    // The store has no -0. Adding 0 gives the 0 that a later fold reads.
    this.numbers[ordinal] = (value as number) + 0;
  }

  clear(ordinal: number): void {
    if (ordinal >= this.tags.length || this.tags[ordinal] === TAG.none) return;
    if (this.tags[ordinal] === TAG.number) this.numbers[ordinal] = 0;
    this.tags[ordinal] = TAG.none;
    this.texts.clear(ordinal);
  }
}

function tagOf(value: unknown): number {
  if (value === null) return TAG.null;
  if (typeof value === 'boolean') return value ? TAG.true : TAG.false;
  if (typeof value === 'number') return TAG.number;
  // Half of a surrogate pair has no UTF-8, while JSON escapes it.
  if (typeof value === 'string') return value.isWellFormed() ? TAG.string : TAG.json;
  return TAG.json;
}

function textOf(tag: number, value: unknown): string {
  if (tag === TAG.string) return value as string;
  return tag === TAG.json ? JSON.stringify(value) : '';
}
