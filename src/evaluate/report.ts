import type { Interval } from './intervals.ts';
import type { Evaluation, Row } from './scoreboard.ts';

/** Figures of the JSON report, in order. */
const FIGURES = [
  'users',
  'recall',
  'ndcg',
  'hit_rate',
  'mrr',
  'precision',
  'auc',
  'log_loss',
  'versus',
  'coverage',
  'p50_us',
  'p99_us',
] as const satisfies readonly (keyof Row)[];

/** The JSON report: one object. Intervals follow their figures. @param further members before the verdict */
export function jsonReport(
  { protocol, data, top_k, rows, verdict }: Evaluation,
  further: object = {},
): string {
  return JSON.stringify({ protocol, data, top_k, rows: rows.map(jsonRow), ...further, verdict });
}

function jsonRow(row: Row): object {
  const { name, baseline, intervals } = row;
  const figures = FIGURES.flatMap((figure) => [
    [figure, row[figure]],
    [`${figure}_ci`, intervals[figure]],
  ]);
  return { name, baseline, ...Object.fromEntries(figures) };
}

type Column = readonly [
  figure: (typeof FIGURES)[number] | 'popularity' | 'short',
  title: string,
  print: (value: number) => string,
  /** What the column means; `{found}` stands for the relevant items. */
  meaning: string,
];

const COLUMNS: readonly Column[] = [
  ['recall', 'Recall@{k}', share, 'share of {found} that are on the page, averaged over pages'],
  ['hit_rate', 'HR@{k}', share, 'share of pages with at least one of {found}'],
  ['auc', 'AUC', share, 'how often {found} are above another item, ties count half'],
  ['ndcg', 'NDCG@{k}', share, 'rank-aware score: 1 if {found} lead the page, less the further down they are'],
  ['mrr', 'MRR', share, '1 / rank of the first of {found}, 0 if there is none, averaged'],
  ['precision', 'Precision@{k}', share, 'share of {found} that are on the page'],
  ['log_loss', 'log loss', share, 'mean of -log p(what happened), where p is the probability of an act'],
  ['versus', 'versus', share, 'how much the AUC is above that of the click rate'],
  ['coverage', 'coverage', share, 'share of all items that were on any page'],
  [
    'popularity',
    'popularity',
    (value) => value.toFixed(1),
    'number of acts on a shown item before the page was built, on average',
  ],
  ['short', 'short', share, 'share of pages with fewer items than requested'],
  ['p50_us', 'p50 µs', whole, 'time of a page in microseconds, median'],
  ['p99_us', 'p99 µs', whole, 'the same, 99th percentile'],
];

/** The relevant items of a page, by protocol. */
const FOUND: Readonly<Record<Evaluation['protocol'], string>> = {
  holdout: 'the held-out items',
  replay: 'the items that the user interacted with next',
  tune: 'the items that the user interacted with next',
  trending: 'the items that gain most',
  impressions: 'the items that the viewer acted on',
  alpha: 'the items that the wallet interacted with next',
};

/** The table for people, with a legend below it. Baselines come last and are marked. */
export function tableReport({ protocol, data, top_k, rows, about, verdict }: Evaluation): string {
  const columns = COLUMNS.filter(([figure]) => rows.some((row) => row[figure] !== undefined));
  const titles = columns.map(([, title]) => title.replace('{k}', String(top_k)));
  const lines = rows.map((row) => [
    row.baseline ? `baseline ${row.name}` : row.name,
    ...columns.map(([figure, , print]) => {
      const value = row[figure];
      if (value === undefined || Number.isNaN(value)) return '–';
      return print(value) + within(row.intervals[figure]);
    }),
  ]);
  const width = Math.max(...titles.map(({ length }) => length));
  const legend = columns.map(
    ([, , , meaning], at) => `${titles[at].padEnd(width)}  ${meaning.replace('{found}', FOUND[protocol])}`,
  );
  return [
    `${protocol} on ${data}: ${about}`,
    '',
    ...aligned([['', ...titles], ...lines]),
    '',
    ...legend,
    ...(rows.some(({ intervals }) => Object.values(intervals).some(Boolean)) ? [INTERVALS] : []),
    '',
    verdict,
  ].join('\n');
}

const INTERVALS = 'In brackets: from where to where the true value lies with a probability of 95 %.';

function within(interval: Interval | undefined): string {
  if (interval === undefined) return '';
  const [low, high] = interval.map((bound) => bound.toFixed(3));
  return ` (${low}–${high})`;
}

function share(value: number): string {
  return value.toFixed(4);
}

function whole(value: number): string {
  return value.toFixed(0);
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
