import { spreadsheetRecord } from '../../../../interchange/csv.ts';
import type { Experiment } from './experiment.ts';

const HEADER = [
  ...[
    'period',
    'started_at',
    'ended_at',
    'variant',
    'viewers',
    'impressions',
    'pages',
    'short_pages',
    'metric',
  ],
  ...['value', 'ci_low', 'ci_high', 'lift', 'lift_ci_low', 'lift_ci_high', 'p_value_sequential', 'decided'],
  'sample_ratio_ok',
];

/** The results of all periods: a line for each variant and metric. The control has no lift. */
export function resultsCsv({ results, ended_periods }: Experiment): string {
  const lines = [...ended_periods, results].flatMap((one) =>
    one.variants.flatMap(({ name, viewers, impressions, pages, short_pages, rates }) =>
      rates.map(({ metric, value, ci_low, ci_high }) => {
        const compared = one.comparison.find((each) => each.metric === metric && each.variant === name);
        return [
          ...[
            one.period,
            one.started_at,
            one.ended_at,
            name,
            viewers,
            impressions,
            pages,
            short_pages,
            metric,
          ],
          ...[value, ci_low, ci_high, compared?.lift, compared?.ci_low, compared?.ci_high],
          ...[compared?.p_value_sequential, compared?.decided, one.sample_ratio.ok],
        ];
      }),
    ),
  );
  return [HEADER, ...lines].map((cells) => spreadsheetRecord(cells.map(cellOf))).join('');
}

function cellOf(value: string | number | boolean | null | undefined): string | number {
  return typeof value === 'number' ? value : String(value ?? '');
}
