import type { Evaluation, Row } from './scoreboard.ts';

/** Figures of the JSON report, in order. */
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

/** The JSON report: one object. */
export function jsonReport({ protocol, data, top_k, rows }: Evaluation): string {
  const figures = rows.map((row) => {
    const { name, baseline } = row;
    return { name, baseline, ...Object.fromEntries(FIGURES.map((figure) => [figure, row[figure]])) };
  });
  return JSON.stringify({ protocol, data, top_k, rows: figures });
}

interface Column {
  title: (top_k: number) => string;
  figure: keyof Row;
  print: (value: number) => string;
  /** Meaning of the column; `found` names the relevant items. */
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
    meaning: (found) => `rank-aware score: 1 if ${found} lead the page, less the further down they are`,
  },
  {
    title: () => 'MRR',
    figure: 'mrr',
    print: share,
    meaning: (found) => `1 / rank of the first of ${found}, 0 if there is none, averaged`,
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
    meaning: () => 'number of acts on a shown item before the page was built, on average',
  },
  {
    title: () => 'short',
    figure: 'short',
    print: share,
    meaning: () => 'share of pages with fewer items than requested',
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

/** The relevant items of a page, by protocol. */
const FOUND: Readonly<Record<Evaluation['protocol'], string>> = {
  holdout: 'the held-out items',
  replay: 'the items that the user interacted with next',
  trending: 'the items that gain most',
  alpha: 'the items that the wallet interacted with next',
};

/** The table for people, with a legend below it. Baselines come last and are marked. */
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

/** Pads columns to their widest cell. The first column is left-aligned, the others right-aligned. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}
