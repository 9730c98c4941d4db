import { Dictionary } from '../columns/dictionary.ts';
import { grown } from '../columns/growable.ts';
import { Postings } from '../columns/postings.ts';
import { Slabs } from '../columns/slabs.ts';
import { NONE } from '../model/key.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

/**
 * A column that groups items by a text value such as language, app or domain.
 *
 * It holds the codes of values, the values of each item, and the items of each value, newest first.
 */
export abstract class Group {
  protected readonly dictionary: Dictionary;
  readonly postings: Postings;

  constructor(created_at: (item: number) => number, { hash_key, limits }: Setup = DEFAULT_SETUP) {
    this.dictionary = new Dictionary(hash_key, { count_max: limits.values, bytes_max: limits.value_bytes });
    this.postings = new Postings(created_at);
  }

  code(value: string): number {
    return this.dictionary.find(value);
  }

  get values_count(): number {
    return this.dictionary.count;
  }

  get value_bytes(): number {
    return this.dictionary.live_bytes;
  }

  value(code: number): string {
    return this.dictionary.id(code);
  }

  get size(): number {
    return this.dictionary.size;
  }

  /** Whether an item has a value. Always false for NONE, the code of unknown values. */
  abstract has(item: number, code: number): boolean;

  /** Whether a value of the item passes a test of its code and score. O(the item's values). */
  abstract any(item: number, test: (code: number, score: number) => boolean): boolean;

  /** Forgets values without items and reuses their codes. O(codes). */
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

/** A group column with at most one value per item. */
export class SingleGroup extends Group {
  private code_of = new Int32Array(64);

  has(item: number, code: number): boolean {
    return code !== NONE && this.of(item) === code;
  }

  any(item: number, test: (code: number, score: number) => boolean): boolean {
    const code = this.of(item);
    return code !== NONE && test(code, 1);
  }

  of(item: number): number {
    return item < this.code_of.length ? this.code_of[item] - 1 : NONE;
  }

  /** Lists an item under this value only. Its creation time must be set before. */
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

/** A group column with any number of values per item. Each has a score if `scored`, otherwise 1. */
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

  get entries_count(): number {
    return this.values.size;
  }

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

  /** The score of an item's value. NaN if the item does not have it. O(the item's values). */
  score(item: number, code: number): number {
    const { columns } = this.values;
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      if (columns.code[at] === code) return this.scoreAt(at);
    }
    return Number.NaN;
  }

  /** Lists an item under these distinct values only. Its creation time must be set before. */
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

  /** Reads the position of an item's values, for `readAhead`. The result has no meaning. */
  prefetch(item: number): number {
    return this.values.start(item) + this.values.length(item);
  }

  /** Reads the first of an item's values, for `readAhead`. */
  prefetchFirst(item: number): number {
    const { code, score } = this.values.columns;
    const at = this.values.start(item);
    return score === undefined || score[at] !== 0 ? code[at] : 0;
  }

  /** Visits every code of an item with its score. */
  forEach(item: number, visit: (code: number, score: number) => void): void {
    const { columns } = this.values;
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      visit(columns.code[at], this.scoreAt(at));
    }
  }

  *entries(item: number): Generator<[string, number]> {
    for (let at = this.values.start(item); at < this.values.end(item); at++) {
      yield [this.value(this.values.columns.code[at]), this.scoreAt(at)];
    }
  }

  /** Whether the item has the same values in the same order. */
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
