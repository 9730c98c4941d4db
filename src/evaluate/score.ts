import type { Figure } from './figures.ts';
import { sumOf } from './intervals.ts';
import type { PageTimes } from './page-times.ts';

/** Dense indexes of units: users, wallets or steps. */
export class Units {
  private readonly index_of = new Map<number, number>();

  index(unit: number): number {
    const known = this.index_of.get(unit) ?? this.index_of.size;
    this.index_of.set(unit, known);
    return known;
  }
}

/** Figures that do not depend on which items are relevant. */
export interface PageFigures {
  users: number;
  /** Share of all items that were on at least one page. */
  coverage: number;
  /** Average number of acts on an item of a page, when the page was built. */
  popularity: number;
  /** Share of pages with fewer items than requested. */
  short: number;
}

/** A page and its quality. */
interface Judged {
  /** The user, wallet or step. */
  unit: number;
  /** Items, best first. */
  page: readonly number[];
  worth: Partial<Record<Figure, number>>;
}

/** Adds up the pages of one recommender. */
export class Score {
  /** Pages of each unit. */
  readonly pages: number[] = [];
  private readonly sums: Partial<Record<Figure, number[]>>;
  private readonly shown = new Set<number>();
  private places = 0;
  private acts = 0;
  private short = 0;

  constructor(
    readonly name: string,
    readonly baseline: boolean,
    private readonly units: Units,
    /** Those that its pages have are measured. */
    readonly figures: readonly Figure[],
    private readonly top_k: number,
    readonly times: PageTimes,
  ) {
    this.sums = Object.fromEntries(figures.map((figure) => [figure, []]));
  }

  /** @param popularityOf returns the number of acts on an item so far */
  add({ unit, page, worth }: Judged, popularityOf: (item: number) => number): void {
    const index = this.units.index(unit);
    this.pages[index] = (this.pages[index] ?? 0) + 1;
    for (const figure of this.figures) {
      const value = worth[figure];
      if (value === undefined) continue;
      const sums = this.sumsOf(figure);
      sums[index] = (sums[index] ?? 0) + value;
    }
    this.short += page.length < this.top_k ? 1 : 0;
    this.places += page.length;
    for (const item of page) {
      this.acts += popularityOf(item);
      this.shown.add(item);
    }
  }

  /** The sum of a figure for each unit. Empty if it is not measured. */
  sumsOf(figure: Figure): number[] {
    return this.sums[figure] ?? [];
  }

  mean(figure: Figure): number {
    return sumOf(this.sumsOf(figure)) / sumOf(this.pages);
  }

  /** Coverage, popularity and short pages. @param items the number of all items */
  pageFigures(items: number): PageFigures {
    const { pages, shown, acts, places, short } = this;
    return {
      users: pages.length,
      coverage: shown.size / items,
      popularity: acts / places,
      short: short / sumOf(pages),
    };
  }
}
