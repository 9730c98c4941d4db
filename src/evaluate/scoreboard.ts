import { quantile } from '../statistics.ts';
import { Means, type PageWorth, type RankingWorth } from './metrics.ts';

/** One line of the table. What a protocol does not measure is absent. */
export interface Row {
  /** Id of the scoring function, or the feed type as it is by default, or what the baseline is called. */
  name: string;
  baseline: boolean;
  /** Users whose pages were built. */
  users?: number;
  recall?: number;
  ndcg?: number;
  hit_rate?: number;
  mrr?: number;
  precision?: number;
  /** Share of all items that were on any page. */
  coverage?: number;
  /** Acts that an item of a page has had when the page was built, on average. */
  popularity?: number;
  /** Share of the pages that have fewer items than were asked for. */
  short?: number;
  /** Time of a request, in microseconds; of what is served only. */
  p50_us?: number;
  p99_us?: number;
}

/** What an evaluation found. */
export interface Evaluation {
  protocol: 'holdout' | 'replay' | 'trending' | 'alpha';
  data: string;
  top_k: number;
  rows: Row[];
  /** What was asked, for the reader: `8,503 pages of 2,911 users`. */
  about: string;
  /** Why the figures may mislead, for the reader. */
  advice?: string;
}

/** The times of what is served. */
class Times {
  private readonly all_us: number[] = [];

  add(took_us: number): void {
    this.all_us.push(took_us);
  }

  get row(): Pick<Row, 'p50_us' | 'p99_us'> {
    if (this.all_us.length === 0) return {};
    return {
      p50_us: Math.round(quantile(this.all_us, 0.5)),
      p99_us: Math.round(quantile(this.all_us, 0.99)),
    };
  }
}

/** A page and what it is worth. */
export interface Judged {
  user: number;
  /** Items, best first. */
  page: readonly number[];
  worth: PageWorth;
  /** Only of what is served. */
  took_us?: number;
}

/** Follows the pages of one recommender. */
export class Score {
  private readonly means = new Means<PageWorth & { short: number }>();
  private readonly popularity = new Means<{ acts: number }>();
  private readonly users = new Set<number>();
  private readonly shown = new Set<number>();
  private readonly times = new Times();

  constructor(
    readonly name: string,
    readonly baseline: boolean,
    private readonly top_k: number,
  ) {}

  /** @param popularityOf acts that an item has had so far */
  add({ user, page, worth, took_us }: Judged, popularityOf: (item: number) => number): void {
    this.means.add({ ...worth, short: page.length < this.top_k ? 1 : 0 });
    for (const item of page) this.popularity.add({ acts: popularityOf(item) });
    this.users.add(user);
    for (const item of page) this.shown.add(item);
    if (took_us !== undefined) this.times.add(took_us);
  }

  /** @param items that there are at the end */
  row(items: number): Row {
    const { name, baseline, means, users, shown, popularity, times } = this;
    return {
      name,
      baseline,
      users: users.size,
      recall: means.mean('recall'),
      ndcg: means.mean('ndcg'),
      hit_rate: means.mean('hit_rate'),
      mrr: means.mean('mrr'),
      coverage: shown.size / items,
      popularity: popularity.mean('acts'),
      short: means.mean('short'),
      ...times.row,
    };
  }
}

/** Follows the rankings of one recommender. */
export class RankingScore {
  private readonly means = new Means<RankingWorth>();
  private readonly times = new Times();

  constructor(
    readonly name: string,
    readonly baseline: boolean,
  ) {}

  /** @param took_us only of what is served */
  add(worth: RankingWorth, took_us?: number): void {
    this.means.add(worth);
    if (took_us !== undefined) this.times.add(took_us);
  }

  get row(): Row {
    const { name, baseline, means, times } = this;
    return { name, baseline, ndcg: means.mean('ndcg'), precision: means.mean('precision'), ...times.row };
  }
}
