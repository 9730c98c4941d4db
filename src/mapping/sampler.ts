import type { Row } from '../rows/row.ts';
import { mayDecide } from './draft.ts';
import { pathsIn, type Sample, sampleOf } from './sample.ts';

/** Rows of a file that are taken, whatever they have. Of CSV, the first one is the header. */
const ROWS_MAX = 1_001;
/** Names of fields that are known to say nothing new. */
const NAMES_MAX = 10_000;

/**
 * Takes the first rows of a file for a guess, and later rows of JSON with another field that may decide who sees a row:
 * a field that few rows have must not be missed.
 */
export class Sampler {
  private readonly rows: Row[] = [];
  private readonly names = new Set<string>();

  constructor(private readonly name: string) {}

  get is_empty(): boolean {
    return this.rows.length === 0;
  }

  /** @returns whether further rows may say more */
  add(row: Row): boolean {
    const is_first = this.rows.length < ROWS_MAX;
    if (this.hasNews(row) || is_first) this.rows.push(row);
    return row.cells === undefined ? this.rows.length < 2 * ROWS_MAX : this.rows.length < ROWS_MAX;
  }

  get sample(): Sample {
    return sampleOf(this.name, this.rows);
  }

  private hasNews({ value = {} }: Row): boolean {
    const news = pathsIn(value).filter(([path]) => !this.names.has(path));
    if (this.names.size > NAMES_MAX) this.names.clear();
    for (const [path] of news) this.names.add(path);
    return news.some(([path]) => mayDecide(path));
  }
}
