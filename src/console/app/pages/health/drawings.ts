import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';

export type History = AnswerOf<'GET', '/api/metrics/history'>;
type Point = History['points'][number];

export interface Drawing {
  title: string;
  unit?: string;
  times: readonly number[];
  series: readonly { name: string; values: readonly (number | null)[] }[];
}

/** Codes that have a line of their own; the others share one. */
const CODES_SHOWN_MAX = 3;
const BYTES_PER_MIB = 1024 * 1024;
const SECONDS_PER_MINUTE = 60;

export function drawingsOf({ points, every_seconds }: History): Drawing[] {
  const times = points.map(({ at }) => at);
  const minutes = every_seconds / SECONDS_PER_MINUTE;
  const series = (name: string, read: (point: Point) => number | null) => ({
    name,
    values: points.map(read),
  });
  return [
    {
      title: 'Pages a minute',
      times,
      series: (['for-you', 'trending', 'popular'] as const).map((type) =>
        series(type, ({ pages }) => rounded(pages[type] / minutes)),
      ),
    },
    {
      title: 'Latency of pages',
      unit: 'ms',
      times,
      series: [series('p50', ({ p50_ms }) => p50_ms), series('p99', ({ p99_ms }) => p99_ms)],
    },
    { title: 'Errors by code', times, series: errorSeries(points) },
    {
      title: 'Pages that need a look',
      times,
      series: [
        series('short', ({ short_pages }) => short_pages),
        series('with fallback', ({ fallback_pages }) => fallback_pages),
        series('cold viewers', ({ cold_start_pages }) => cold_start_pages),
      ],
    },
    {
      title: 'Records a second',
      times,
      series: [series('received', ({ records_per_second }) => records_per_second)],
    },
    {
      title: 'Delay of ingest',
      unit: 'ms',
      times,
      series: [series('until stored', ({ ingest_ms }) => ingest_ms)],
    },
    {
      title: 'Memory',
      unit: 'MiB',
      times,
      series: [series('process', ({ memory_bytes }) => Math.round(memory_bytes / BYTES_PER_MIB))],
    },
    {
      title: 'Time in plugins, for a page',
      unit: 'ms',
      times,
      series: [
        series('mean', ({ plugin_ms, pages }) => {
          const count = sum(Object.values(pages));
          return count === 0 ? null : rounded(plugin_ms / count);
        }),
      ],
    },
  ];
}

/** Errors of all points by code, most frequent first. */
export function errorCounts(points: readonly Point[]): [code: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { errors } of points)
    for (const [code, count = 0] of Object.entries(errors)) counts.set(code, (counts.get(code) ?? 0) + count);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function errorSeries(points: readonly Point[]): Drawing['series'] {
  const codes = errorCounts(points).map(([code]) => code);
  if (codes.length === 0) return [{ name: 'none', values: points.map(() => 0) }];
  const shown = codes.slice(0, CODES_SHOWN_MAX);
  const others = codes.slice(CODES_SHOWN_MAX);
  const countOf = (wanted: readonly string[]) =>
    points.map(({ errors }) =>
      sum(Object.entries(errors).map(([code, count = 0]) => (wanted.includes(code) ? count : 0))),
    );
  const series = shown.map((code) => ({ name: code, values: countOf([code]) }));
  return others.length === 0 ? series : [...series, { name: 'other', values: countOf(others) }];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
