import { NONE } from '../model/key.ts';

/** A logged page. Pages of one viewer follow one another, the earliest first. */
export interface SampledPage {
  /** The index of the viewer in the sample. */
  viewer: number;
  /** The number of the saved feed, or 0. */
  feed: number;
  feed_type: string;
  /** In whole days since 1970, UTC. */
  day: number;
  /** The number of pages that it stands for. */
  weight: number;
  /** The ordinals of its items that are still known. */
  items: Int32Array;
}

/** What measures need to know of items and authors, by ordinal. */
export interface Facts {
  author(item: number): number;
  /** Whether an item may be shown, and whether it was also published within the period. */
  is_live(item: number): boolean;
  is_new(item: number): boolean;
  is_active(author: number): boolean;
  is_newcomer(author: number): boolean;
  is_small(author: number): boolean;
  live_items: number;
  new_items: number;
  active_authors: number;
}

/** Shares are from 0 to 1. Null: nothing to divide by. */
export interface Measures {
  pages: number;
  viewers: number;
  shown: number;
  newcomers_share: number | null;
  small_authors_share: number | null;
  exposure_gini: number | null;
  coverage: number | null;
  new_coverage: number | null;
  repetition: number | null;
  distance: number | null;
}

/** The sum over pages that measures are computed from. Pages are added in the order of a sample. */
export class PageSum {
  private pages = 0;
  private viewers = 0;
  private shown = 0;
  private repeated = 0;
  private covered = 0;
  private covered_new = 0;
  /** Of items whose author is known, weighted. */
  private readonly exposures = { all: 0, newcomers: 0, small: 0 };
  private readonly by_author = new Map<number, number>();
  private readonly items = new Set<number>();
  private viewer = NONE;
  private readonly shown_to_viewer = new Set<number>();

  constructor(private readonly facts: Facts) {}

  add({ viewer, weight, items }: SampledPage): void {
    this.pages++;
    if (viewer !== this.viewer) {
      this.viewer = viewer;
      this.viewers++;
      this.shown_to_viewer.clear();
    }
    for (const item of items) {
      this.shown++;
      if (this.shown_to_viewer.has(item)) this.repeated++;
      this.shown_to_viewer.add(item);
      if (!this.items.has(item)) this.cover(item);
      this.expose(this.facts.author(item), weight);
    }
  }

  result(distance: number | null): Measures {
    const { pages, viewers, shown, exposures, facts } = this;
    const passive = [...this.by_author.keys()].filter((author) => !facts.is_active(author)).length;
    return {
      ...{ pages, viewers, shown },
      newcomers_share: ratio(exposures.newcomers, exposures.all),
      small_authors_share: ratio(exposures.small, exposures.all),
      exposure_gini: gini(this.by_author.values(), facts.active_authors + passive),
      coverage: ratio(this.covered, facts.live_items),
      new_coverage: ratio(this.covered_new, facts.new_items),
      repetition: ratio(this.repeated, shown),
      distance,
    };
  }

  private cover(item: number): void {
    this.items.add(item);
    if (this.facts.is_live(item)) this.covered++;
    if (this.facts.is_new(item)) this.covered_new++;
  }

  private expose(author: number, weight: number): void {
    if (author === NONE) return;
    this.exposures.all += weight;
    if (this.facts.is_newcomer(author)) this.exposures.newcomers += weight;
    if (this.facts.is_small(author)) this.exposures.small += weight;
    this.by_author.set(author, (this.by_author.get(author) ?? 0) + weight);
  }
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/**
 * The Gini coefficient of positive values and of as many zeros as are missing to `count`: 0 if all are equal, and
 * nearly 1 if one value has everything. O(values log values).
 * @returns null without values
 */
export function gini(positive: Iterable<number>, count: number): number | null {
  const values = Float64Array.from(positive).sort();
  let [sum, ranked] = [0, 0];
  for (const [at, value] of values.entries()) {
    sum += value;
    ranked += (count - values.length + at + 1) * value;
  }
  return sum === 0 ? null : (2 * ranked) / (count * sum) - (count + 1) / count;
}

/** Viewers of a feed and day whose pages are compared, each with each. */
export const VIEWERS_COMPARED = 30;

/** The sum of Jaccard distances between the pages of different viewers, and the number of pairs. */
export interface Distances {
  sum: number;
  pairs: number;
}

/** Compares the first pages of the first viewers. @param pages those of one feed and day */
export function distancesOf(pages: readonly SampledPage[]): Distances {
  const firsts: Set<number>[] = [];
  let last = NONE;
  for (const { viewer, items } of pages) {
    if (viewer === last || items.length === 0) continue;
    last = viewer;
    if (firsts.push(new Set(items)) === VIEWERS_COMPARED) break;
  }
  const distances = { sum: 0, pairs: 0 };
  for (const [at, one] of firsts.entries())
    for (const other of firsts.slice(at + 1)) {
      const common = one.intersection(other).size;
      distances.sum += 1 - common / (one.size + other.size - common);
      distances.pairs++;
    }
  return distances;
}

/** The mean distance between pages of the same feed and day, over all pairs. */
export function meanDistance(distances: readonly Distances[]): number | null {
  const pairs = distances.reduce((total, each) => total + each.pairs, 0);
  return ratio(
    distances.reduce((total, each) => total + each.sum, 0),
    pairs,
  );
}
