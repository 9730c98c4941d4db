import { quantile } from '../statistics.ts';
import { Means, type PageWorth, type RankingWorth } from './metrics.ts';

/** One row of the report. Figures that a protocol does not measure are absent. */
export interface Row {
  /** Id of the scoring function, the feed type for its default, or the name of the baseline. */
  name: string;
  baseline: boolean;
  users?: number;
  recall?: number;
  ndcg?: number;
  hit_rate?: number;
  mrr?: number;
  precision?: number;
  /** Share of all items that were on at least one page. */
  coverage?: number;
  /** Average number of acts on an item of a page, when the page was built. */
  popularity?: number;
  /** Share of pages with fewer items than requested. */
  short?: number;
  /** Duration of a request in microseconds. Only for pages of the service. */
  p50_us?: number;
  p99_us?: number;
}

/** The result of an evaluation. */
export interface Evaluation {
  protocol: 'holdout' | 'replay' | 'trending' | 'alpha';
  data: string;
  top_k: number;
  rows: Row[];
  /** Size of the evaluation, for the reader: `8,503 pages of 2,911 users`. */
  about: string;
  /** Why the figures may mislead, for the reader. */
  advice?: string;
}

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

/** A page and its quality. */
export interface Judged {
  user: number;
  /** Items, best first. */
  page: readonly number[];
  worth: PageWorth;
  /** Only for pages of the service. */
  took_us?: number;
}

/** Aggregates the pages of one recommender. */
class Score {
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

  /** @param popularityOf returns the number of acts on an item so far */
  add({ user, page, worth, took_us }: Judged, popularityOf: (item: number) => number): void {
    this.means.add({ ...worth, short: page.length < this.top_k ? 1 : 0 });
    for (const item of page) this.popularity.add({ acts: popularityOf(item) });
    this.users.add(user);
    for (const item of page) this.shown.add(item);
    if (took_us !== undefined) this.times.add(took_us);
  }

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

/** The scores of recommenders about pages: those of the service, then simple ones. */
export function pageScores<Name extends string>(
  scoring: readonly string[],
  baselines: readonly Name[],
  top_k: number,
) {
  const served = scoring.map((id) => new Score(id, false, top_k));
  const simple = baselines.map((name) => ({ name, score: new Score(name, true, top_k) }));
  const rows = (items: number): Row[] =>
    [...served, ...simple.map(({ score }) => score)].map((score) => score.row(items));
  return { served, simple, rows };
}

/** Aggregates the rankings of one recommender. */
export class RankingScore {
  private readonly means = new Means<RankingWorth>();
  private readonly times = new Times();

  constructor(
    readonly name: string,
    readonly baseline: boolean,
  ) {}

  add(worth: RankingWorth, took_us?: number): void {
    this.means.add(worth);
    if (took_us !== undefined) this.times.add(took_us);
  }

  get row(): Row {
    const { name, baseline, means, times } = this;
    return { name, baseline, ndcg: means.mean('ndcg'), precision: means.mean('precision'), ...times.row };
  }
}
