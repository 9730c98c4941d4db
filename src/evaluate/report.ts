import type { Evaluation, Row } from './scoreboard.ts';

/** Figures of the machine-readable answer, in their order. */
const FIGURES = [
  'users',
  'recall',
  'ndcg',
  'hit_rate',
  'mrr',
  'precision',
  'coverage',
  'p50_us',
  'p99_us',
] as const satisfies readonly (keyof Row)[];

/** The machine-readable answer: one JSON object. */
export function jsonReport({ protocol, data, top_k, rows }: Evaluation): string {
  const figures = rows.map((row) => {
    const { name, baseline } = row;
    return { name, baseline, ...Object.fromEntries(FIGURES.map((figure) => [figure, row[figure]])) };
  });
  return JSON.stringify({ protocol, data, top_k, rows: figures });
}

/** A column of the table. */
interface Column {
  title: (top_k: number) => string;
  figure: keyof Row;
  print: (value: number) => string;
  /** What it says; `found` is what is to be found on a page. */
  meaning: (found: string) => string;
}

const COLUMNS: readonly Column[] = [
  {
    title: (k) => `Recall@${k}`,
    figure: 'recall',
    print: share,
    meaning: (found) => `share of ${found} that are on the page, averaged over pages`,
  },
  {
    title: (k) => `HR@${k}`,
    figure: 'hit_rate',
    print: share,
    meaning: (found) => `share of pages with at least one of ${found}`,
  },
  {
    title: (k) => `NDCG@${k}`,
    figure: 'ndcg',
    print: share,
    meaning: (found) => `rank-aware score: 1 when ${found} lead the page, less the further down they are`,
  },
  {
    title: () => 'MRR',
    figure: 'mrr',
    print: share,
    meaning: (found) => `1 divided by the rank of the first of ${found}, 0 when there is none, averaged`,
  },
  {
    title: (k) => `Precision@${k}`,
    figure: 'precision',
    print: share,
    meaning: (found) => `share of ${found} that are on the page`,
  },
  {
    title: () => 'coverage',
    figure: 'coverage',
    print: share,
    meaning: () => 'share of all items that were on any page',
  },
  {
    title: () => 'popularity',
    figure: 'popularity',
    print: (value) => value.toFixed(1),
    meaning: () => 'acts that a shown item had by then, on average',
  },
  {
    title: () => 'short',
    figure: 'short',
    print: share,
    meaning: () => 'share of pages with fewer items than asked for',
  },
  {
    title: () => 'p50 µs',
    figure: 'p50_us',
    print: (value) => value.toFixed(0),
    meaning: () => 'time of a page in microseconds, median',
  },
  {
    title: () => 'p99 µs',
    figure: 'p99_us',
    print: (value) => value.toFixed(0),
    meaning: () => 'the same, 99th percentile',
  },
];

/** What a page is to show, by protocol. */
const FOUND: Readonly<Record<Evaluation['protocol'], string>> = {
  holdout: 'the held-out items',
  replay: 'the items that the user turned to next',
  trending: 'the items that gain most',
  alpha: 'the items that the wallet turned to next',
};

/** The table for people, with a legend below; baselines come last and are marked. */
export function tableReport({ protocol, data, top_k, rows, about }: Evaluation): string {
  const columns = COLUMNS.filter(({ figure }) => rows.some((row) => row[figure] !== undefined));
  const heading = ['', ...columns.map(({ title }) => title(top_k))];
  const lines = rows.map((row) => [
    row.baseline ? `baseline ${row.name}` : row.name,
    ...columns.map(({ figure, print }) => {
      const value = row[figure];
      return typeof value === 'number' && !Number.isNaN(value) ? print(value) : '–';
    }),
  ]);
  const width = Math.max(...columns.map(({ title }) => title(top_k).length));
  const legend = columns.map(
    ({ title, meaning }) => `${title(top_k).padEnd(width)}  ${meaning(FOUND[protocol])}`,
  );
  return [`${protocol} on ${data}: ${about}`, '', ...aligned([heading, ...lines]), '', ...legend].join('\n');
}

function share(value: number): string {
  return value.toFixed(4);
}

/** Columns as wide as their widest cell; the first to the left, figures to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}
