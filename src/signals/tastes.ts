import { grown } from '../columns/growable.ts';
import type { Postings } from '../columns/postings.ts';
import { consume } from '../consume.ts';
import { type GroupColumn, NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';

/** The columns whose values define a user's taste. */
export const TASTE_COLUMNS = ['author', 'channel', 'label', 'app', 'language'] as const;

export type TasteColumn = (typeof TASTE_COLUMNS)[number];

/** Weights by column and code (for authors: their ordinal), in order of first arrival. Reused. */
export class Tastes {
  private readonly weights: Readonly<Record<TasteColumn, Accumulator>>;
  private weight_of_item = 0;
  private readonly addLabel = (code: number, score: number) => {
    if (score > 0) this.weights.label.add(code, this.weight_of_item * score);
  };
  /** The sum of all added weights. */
  total = 0;
  /** Items to count together in `countNoted`, with their weights. */
  private items = new Int32Array(64);
  private weights_of = new Float64Array(64);
  private noted = 0;

  constructor(private readonly state: State) {
    this.weights = Object.fromEntries(
      TASTE_COLUMNS.map((column) => [column, new Accumulator(state.setup.ordinal_hash)]),
    ) as Record<TasteColumn, Accumulator>;
  }

  /** Adds an item for the next `countNoted`. */
  note(item: Ordinal, weight: number): void {
    const at = this.noted++;
    this.items = grown(this.items, this.noted);
    this.weights_of = grown(this.weights_of, this.noted);
    this.items[at] = item;
    this.weights_of[at] = weight;
  }

  countNoted(): void {
    const { noted } = this;
    this.noted = 0;
    this.readAhead(noted);
    for (let at = 0; at < noted; at++) this.add(this.items[at], this.weights_of[at]);
  }

  /** Counts the values of an item. A label counts with its score in [0, 1]. */
  add(item: Ordinal, weight: number): void {
    const { items, groups } = this.state;
    const { author, channel, app, language } = this.weights;
    this.total += weight;
    this.weight_of_item = weight;
    addTo(author, items.author(item), weight);
    addTo(channel, groups.channel.of(item), weight);
    addTo(app, groups.app.of(item), weight);
    addTo(language, groups.language.of(item), weight);
    groups.label.forEach(item, this.addLabel);
  }

  /** Reads the values of the noted items into the processor's cache. Such a short loop fetches many at once. */
  private readAhead(noted: number): void {
    const { items, groups } = this.state;
    const { channel, app, language, label } = groups;
    let read = 0;
    for (let at = 0; at < noted; at++) {
      const item = this.items[at];
      read |= items.author(item) ^ channel.of(item) ^ app.of(item) ^ language.of(item) ^ label.prefetch(item);
    }
    for (let at = 0; at < noted; at++) read |= label.prefetchFirst(this.items[at]);
    consume(read);
  }

  weight(column: TasteColumn, code: number): number {
    return this.weights[column].weight(code);
  }

  forEach(column: TasteColumn, visit: (code: number, weight: number) => void): void {
    this.weights[column].forEach(visit);
  }

  clear(): void {
    this.total = 0;
    this.noted = 0;
    for (const column of TASTE_COLUMNS) this.weights[column].clear();
  }
}

function addTo(weights: Accumulator, code: number, weight: number): void {
  if (code !== NONE) weights.add(code, weight);
}

export function postingsOf({ by_author, groups }: State, column: GroupColumn): Postings {
  return column === 'author' ? by_author : groups[column].postings;
}
