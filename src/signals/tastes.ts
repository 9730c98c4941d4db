import { type GroupColumn, NONE, type Ordinal } from '../plugin/index.ts';
import type { Postings } from '../state/postings.ts';
import type { State } from '../state/state.ts';

/** The columns whose values tell what somebody likes. */
export const TASTE_COLUMNS = ['author', 'channel', 'label', 'app', 'language'] as const;

export type TasteColumn = (typeof TASTE_COLUMNS)[number];

/** Those of which an item has one value at most. */
const SINGLES = ['channel', 'app', 'language'] as const;

/**
 * The values of one item at a time in columns of taste, in plain arrays, as many items are read in a request.
 * @example values.read(item); for (let at = 0; at < values.count; at++) console.log(values.codes[at]);
 */
export class ItemTastes {
  count = 0;
  readonly columns: TasteColumn[] = [];
  readonly codes: number[] = [];
  /** Labels have scores in [0, 1], all else 1. */
  readonly scores: number[] = [];
  private readonly authors: boolean;
  private readonly labels: boolean;
  private readonly singles: ('channel' | 'app' | 'language')[];
  private readonly put = (code: number, score: number) => this.add('label', code, score);

  /** @param wanted the columns that are read */
  constructor(
    private readonly state: State,
    wanted: readonly TasteColumn[],
  ) {
    this.authors = wanted.includes('author');
    this.labels = wanted.includes('label');
    this.singles = SINGLES.filter((column) => wanted.includes(column));
  }

  read(item: Ordinal): void {
    const { items, groups } = this.state;
    this.count = 0;
    if (this.authors) this.add('author', items.author(item), 1);
    for (const column of this.singles) this.add(column, groups[column].of(item), 1);
    if (this.labels) groups.label.forEach(item, this.put);
  }

  private add(column: TasteColumn, code: number, score: number): void {
    if (code === NONE) return;
    this.columns[this.count] = column;
    this.codes[this.count] = code;
    this.scores[this.count++] = score;
  }
}

/** Weights by column and code (of an author: their ordinal), in order of first arrival. */
export class Tastes {
  private readonly weights = Object.fromEntries(
    TASTE_COLUMNS.map((column) => [column, new Map<number, number>()]),
  ) as Record<TasteColumn, Map<number, number>>;
  private readonly values: ItemTastes;
  /** Everything that was added. */
  total = 0;

  constructor(state: State, columns: readonly TasteColumn[] = TASTE_COLUMNS) {
    this.values = new ItemTastes(state, columns);
  }

  /** Counts the values of an item; a label counts with its score. */
  add(item: Ordinal, weight: number): void {
    this.total += weight;
    const { values } = this;
    values.read(item);
    for (let at = 0; at < values.count; at++) {
      const of_column = this.weights[values.columns[at]];
      const code = values.codes[at];
      of_column.set(code, (of_column.get(code) ?? 0) + weight * values.scores[at]);
    }
  }

  /** The columns that have any value. */
  get columns(): TasteColumn[] {
    return TASTE_COLUMNS.filter((column) => this.weights[column].size > 0);
  }

  weight(column: TasteColumn, code: number): number {
    return this.weights[column].get(code) ?? 0;
  }

  forEach(visit: (column: TasteColumn, code: number, weight: number) => void): void {
    for (const column of TASTE_COLUMNS) {
      for (const [code, weight] of this.weights[column]) visit(column, code, weight);
    }
  }
}

/** The items of each value of a column. */
export function postingsOf({ by_author, groups }: State, column: GroupColumn): Postings {
  return column === 'author' ? by_author : groups[column].postings;
}
