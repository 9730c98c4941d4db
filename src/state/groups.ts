import { NONE } from './change.ts';
import { Dictionary } from './dictionary.ts';
import { grown } from './growable.ts';
import { Postings } from './postings.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';
import { Slabs } from './slabs.ts';

/**
 * A column that groups items by text (language, app, domain …): the codes of its values, the values of each
 * item, and the items of each value, newest first.
 */
export abstract class Group {
  protected readonly dictionary: Dictionary;
  readonly postings: Postings;

  constructor(created_at: (item: number) => number, { hash_key, limits }: Setup = DEFAULT_SETUP) {
    this.dictionary = new Dictionary(hash_key, { count_max: limits.values, bytes_max: limits.value_bytes });
    this.postings = new Postings(created_at);
  }

  /** The code of a value in normal form, NONE when no item ever had it. */
  code(value: string): number {
    return this.dictionary.find(value);
  }

  /** Different values. */
  get values_count(): number {
    return this.dictionary.count;
  }

  get value_bytes(): number {
    return this.dictionary.live_bytes;
  }

  /** The text of a code. */
  value(code: number): string {
    return this.dictionary.id(code);
  }

  /** Codes given out so far. */
  get size(): number {
    return this.dictionary.size;
  }

  /** Whether an item has a value; no item has NONE, the code of what no item ever had. */
  abstract has(item: number, code: number): boolean;

  /** Whether one of an item's values passes a test, which gets its code and score. O(the item's values). */
  abstract any(item: number, test: (code: number, score: number) => boolean): boolean;

  /** Forgets values that no item has any more; their codes are given to others from then on. O(codes). */
  forgetUnused(): void {
    const { dictionary, postings } = this;
    for (let code = 0; code < dictionary.size; code++) {
      if (!dictionary.holds(code) || postings.length(code) > 0) continue;
      dictionary.remove(code);
      dictionary.release(code);
      postings.clear(code);
    }
  }
}

/** A group column with at most one value an item. */
export class SingleGroup extends Group {
  private code_of = new Int32Array(64);

  has(item: number, code: number): boolean {
    return code !== NONE && this.of(item) === code;
  }

  any(item: number, test: (code: number, score: number) => boolean): boolean {
    const code = this.of(item);
    return code !== NONE && test(code, 1);
  }

  /** The code of an item's value, NONE without one. */
  of(item: number): number {
    return item < this.code_of.length ? this.code_of[item] - 1 : NONE;
  }

  /** Lists an item under its value, and under no other; its creation time must stand already. */
  relist(item: number, value: string | undefined): void {
    if (this.isListed(item, value)) return;
    this.unlist(item);
    if (value === undefined) return;
    this.code_of = grown(this.code_of, item + 1);
    const code = this.dictionary.intern(value);
    this.code_of[item] = code + 1;
    this.postings.add(code, item);
  }

  unlist(item: number): void {
    const code = this.of(item);
    if (code === NONE) return;
    this.postings.remove(code, item);
    this.code_of[item] = 0;
  }

  private isListed(item: number, value: string | undefined): boolean {
    const code = this.of(item);
    return value === undefined ? code === NONE : code !== NONE && code === this.code(value);
  }
}

/** A group column with any number of values an item, each with a score where `scored`: else all score 1. */
export class MultiGroup extends Group {
  private readonly values: Slabs<{ code: Uint32Array; score?: Float64Array }>;

  constructor(created_at: (item: number) => number, scored: boolean, setup: Setup = DEFAULT_SETUP) {
    super(created_at, setup);
    const code = new Uint32Array(64);
    this.values = new Slabs<{ code: Uint32Array; score?: Float64Array }>(
      scored ? { code, score: new Float64Array(64) } : { code },
      { elements_max: setup.limits.item_values },
    );
  }

  /** Values of all items. */
  get entries_count(): number {
    return this.values.size;
  }

  /** Values of an item. */
  count(item: number): number {
    return this.values.length(item);
  }

  has(item: number, code: number): boolean {
    return !Number.isNaN(this.score(item, code));
  }

  any(item: number, test: (code: number, score: number) => boolean): boolean {
    const { columns } = this.values;
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      if (test(columns.code[at], this.scoreAt(at))) return true;
    }
    return false;
  }

  /** The score of an item's value, NaN when the item does not have it. O(the item's values). */
  score(item: number, code: number): number {
    const { columns } = this.values;
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      if (columns.code[at] === code) return this.scoreAt(at);
    }
    return Number.NaN;
  }

  /** Lists an item under its values, each of which is there once, and no others; its creation time must stand already. */
  relist(item: number, scores: readonly (readonly [string, number])[]): void {
    if (this.isListed(item, scores)) return;
    this.unlist(item);
    if (scores.length > 0) this.values.reserve(item, scores.length);
    for (const [value, score] of scores) {
      const code = this.dictionary.intern(value);
      const at = this.values.insert(item, 0);
      this.values.columns.code[at] = code;
      if (this.values.columns.score !== undefined) this.values.columns.score[at] = score;
      this.postings.add(code, item);
    }
  }

  unlist(item: number): void {
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      this.postings.remove(this.values.columns.code[at], item);
    }
    this.values.clear(item);
  }

  /** Reads what is known of where an item's values lie, to have it at hand: a number without meaning. */
  glance(item: number): number {
    return this.values.start(item) + this.values.length(item);
  }

  /** The same of the values themselves. */
  glanceAtFirst(item: number): number {
    const { code, score } = this.values.columns;
    const at = this.values.start(item);
    return score === undefined || score[at] !== 0 ? code[at] : 0;
  }

  /** Every code of an item with its score. */
  forEach(item: number, visit: (code: number, score: number) => void): void {
    const { columns } = this.values;
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      visit(columns.code[at], this.scoreAt(at));
    }
  }

  /** Every value of an item with its score. */
  *entries(item: number): Generator<[string, number]> {
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      yield [this.value(this.values.columns.code[at]), this.scoreAt(at)];
    }
  }

  /** Under the same values in the same order. */
  private isListed(item: number, scores: readonly (readonly [string, number])[]): boolean {
    if (this.values.length(item) !== scores.length) return false;
    const start = this.values.start(item);
    return scores.every(
      ([value, score], index) =>
        this.values.columns.code[start + index] === this.code(value) && this.scoreAt(start + index) === score,
    );
  }

  private scoreAt(at: number): number {
    return this.values.columns.score?.[at] ?? 1;
  }
}
