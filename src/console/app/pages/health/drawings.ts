import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import type { Series } from '../../ui/chart.tsx';
import { sum } from '../../ui/texts.ts';

export type History = AnswerOf<'GET', '/api/metrics/history'>;
type Point = History['points'][number];

interface Drawing {
  title: string;
  unit?: string;
  series: readonly Series[];
}

/** Codes that have a line of their own; the others share one. */
const CODES_SHOWN_MAX = 3;
const BYTES_PER_MIB = 1024 * 1024;
const SECONDS_PER_MINUTE = 60;

export function drawingsOf({ points, every_seconds }: History): Drawing[] {
  const minutes = every_seconds / SECONDS_PER_MINUTE;
  const drawing = (
    title: string,
    unit: string | undefined,
    reads: Readonly<Record<string, (point: Point) => number | null>>,
  ): Drawing => ({
    ...{ title, unit },
    series: Object.entries(reads).map(([name, read]) => ({ name, values: points.map(read) })),
  });
  return [
    drawing('Pages a minute', undefined, {
      'for-you': ({ pages }) => rounded(pages['for-you'] / minutes),
      trending: ({ pages }) => rounded(pages.trending / minutes),
      popular: ({ pages }) => rounded(pages.popular / minutes),
    }),
    drawing('Latency of pages', 'ms', { p50: ({ p50_ms }) => p50_ms, p99: ({ p99_ms }) => p99_ms }),
    { title: 'Errors by code', series: errorSeries(points) },
    drawing('Pages that need a look', undefined, {
      short: ({ short_pages }) => short_pages,
      'with fallback': ({ fallback_pages }) => fallback_pages,
      'cold viewers': ({ cold_start_pages }) => cold_start_pages,
    }),
    drawing('Records a second', undefined, { received: ({ records_per_second }) => records_per_second }),
    drawing('Delay of ingest', 'ms', { 'until stored': ({ ingest_ms }) => ingest_ms }),
    drawing('Memory', 'MiB', {
      process: ({ memory_bytes }) => Math.round(memory_bytes / BYTES_PER_MIB),
    }),
    drawing('Time in plugins, for a page', 'ms', {
      mean: ({ plugin_ms, pages }) => {
        const count = sum(Object.values(pages));
        return count === 0 ? null : rounded(plugin_ms / count);
      },
    }),
  ];
}

/** Errors of all points by code, most frequent first. */
export function errorCounts(points: readonly Point[]): [code: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { errors } of points)
    for (const [code, count = 0] of Object.entries(errors)) counts.set(code, (counts.get(code) ?? 0) + count);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function errorSeries(points: readonly Point[]): Series[] {
  const codes = errorCounts(points).map(([code]) => code);
  const others = codes.slice(CODES_SHOWN_MAX);
  const lines: [name: string, codes: readonly string[]][] =
    codes.length === 0
      ? [['none', []]]
      : codes.slice(0, CODES_SHOWN_MAX).map((code): [string, string[]] => [code, [code]]);
  if (others.length > 0) lines.push(['other', others]);
  return lines.map(([name, wanted]) => ({
    name,
    values: points.map(({ errors }) =>
      sum(Object.entries(errors).map(([code, count = 0]) => (wanted.includes(code) ? count : 0))),
    ),
  }));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
