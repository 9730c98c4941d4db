import type { Contestant } from './contestant.ts';
import { FIGURES, type Figure, type Protocol } from './figures.ts';
import { bootstrapped, type Estimated, type Interval } from './intervals.ts';
import { PageTimes } from './page-times.ts';
import { type PageFigures, Score, Units } from './score.ts';
import { differenceOf, verdictOf } from './verdict.ts';

/** One row of the report. Figures that a protocol does not measure are absent. */
export interface Row extends Partial<Record<Figure, number>>, Partial<PageFigures> {
  /** Id of the scoring function or feed, the feed type for its default, or the name of the baseline. */
  name: string;
  baseline: boolean;
  /** The interval of each figure, if there are two users or steps at least. */
  intervals: Partial<Record<string, Interval>>;
  /** How much the first figure is above that of the baseline that the protocol compares all rows with. */
  versus?: number;
  /** Duration of a request in microseconds. Only for pages of the service. */
  p50_us?: number;
  p99_us?: number;
}

/** The result of an evaluation. */
export interface Evaluation {
  protocol: Protocol;
  data: string;
  top_k: number;
  rows: Row[];
  /** Which of two rows is better, as a sentence. */
  verdict: string;
  /** Size of the evaluation, for the reader: `8,503 pages of 2,911 users`. */
  about: string;
  /** Why the figures may mislead, for the reader. */
  advice?: string;
}

const CONFIDENCE = 0.95;

/** The scores of all recommenders, on the same pages: those of the service, then simple ones. */
export class Scoreboard<Name extends string> {
  readonly served: { contestant: Contestant; score: Score }[];
  readonly simple: { name: Name; score: Score }[];

  constructor(
    private readonly protocol: Protocol,
    contestants: readonly Contestant[],
    baselines: readonly Name[],
    private readonly top_k: number,
    /** The baseline that all rows are compared with. */
    private readonly versus?: Name,
  ) {
    const units = new Units();
    const scoreOf = (name: string, is_baseline: boolean) =>
      new Score(name, is_baseline, units, FIGURES[protocol], top_k, new PageTimes(contestants.length));
    this.served = contestants.map((contestant) => ({ contestant, score: scoreOf(contestant.name, false) }));
    this.simple = baselines.map((name) => ({ name, score: scoreOf(name, true) }));
  }

  /**
   * The rows with their intervals, and the verdict: the first row against the best of the other ones that the service has
   * built, or else against the best baseline.
   * @param items the number of all items. Absent if pages have only some of them to choose from
   */
  result(seed: number, items?: number): Pick<Evaluation, 'protocol' | 'top_k' | 'rows' | 'verdict'> {
    const { protocol, top_k } = this;
    const served = this.served.map(({ score }) => score);
    const scores = [...served, ...this.simple.map(({ score }) => score)];
    const cells = scores.flatMap((score) =>
      score.figures.flatMap((figure) => (score.sumsOf(figure).length === 0 ? [] : { score, figure })),
    );
    const wanted = cells.map(
      ({ score, figure }): Estimated => ({ sums: score.sumsOf(figure), confidence: CONFIDENCE }),
    );
    const intervals = bootstrapped(wanted, scores[0].pages, seed);
    const compared = this.simple.find(({ name }) => name === this.versus)?.score;
    const figuresOf = (score: Score) => (items === undefined ? {} : score.pageFigures(items));
    const rows = scores.map((score): Row => {
      const { name, baseline, times } = score;
      const row: Row = { name, baseline, intervals: {}, ...figuresOf(score), ...times.row };
      for (const [at, { figure }] of cells.entries()) {
        if (cells[at].score !== score) continue;
        row[figure] = score.mean(figure);
        row.intervals[figure] = intervals[at];
      }
      if (compared !== undefined && compared !== score) {
        const { value, interval } = differenceOf(score, compared, CONFIDENCE, seed);
        row.versus = value;
        row.intervals.versus = interval;
      }
      return row;
    });
    const [first, ...others] = served.length > 1 ? served : scores;
    return { protocol, top_k, rows, verdict: verdictOf(protocol, first, others, seed) };
  }
}
