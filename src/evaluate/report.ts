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

/** Columns of the table: heading, figure, how it is printed. */
const COLUMNS: readonly [(top_k: number) => string, keyof Row, (value: number) => string][] = [
  [(k) => `Recall@${k}`, 'recall', share],
  [(k) => `HR@${k}`, 'hit_rate', share],
  [(k) => `NDCG@${k}`, 'ndcg', share],
  [() => 'MRR', 'mrr', share],
  [(k) => `Precision@${k}`, 'precision', share],
  [() => 'coverage', 'coverage', share],
  [() => 'popularity', 'popularity', (value) => value.toFixed(1)],
  [() => 'short', 'short', share],
  [() => 'p50 µs', 'p50_us', (value) => value.toFixed(0)],
  [() => 'p99 µs', 'p99_us', (value) => value.toFixed(0)],
];

/** The table for people; baselines come last and are marked. */
export function tableReport({ protocol, data, top_k, rows, about }: Evaluation): string {
  const columns = COLUMNS.filter(([, figure]) => rows.some((row) => row[figure] !== undefined));
  const heading = ['', ...columns.map(([title]) => title(top_k))];
  const lines = rows.map((row) => [
    row.baseline ? `baseline ${row.name}` : row.name,
    ...columns.map(([, figure, print]) => {
      const value = row[figure];
      return typeof value === 'number' && !Number.isNaN(value) ? print(value) : '–';
    }),
  ]);
  return [`${protocol} on ${data}: ${about}`, ...aligned([heading, ...lines])].join('\n');
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
