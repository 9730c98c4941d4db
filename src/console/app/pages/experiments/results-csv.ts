import { spreadsheetRecord } from '../../../../rows/csv.ts';
import type { Comparison, Experiment, Results } from './experiment.ts';

type Variant = Results['variants'][number];

/** What a line is about. The control is not compared. */
interface Line {
  results: Results;
  variant: Variant;
  rate: Variant['rates'][number];
  compared: Comparison | undefined;
}

const COLUMNS: Readonly<Record<string, (line: Line) => string | number | boolean | null | undefined>> = {
  period: ({ results }) => results.period,
  started_at: ({ results }) => results.started_at,
  ended_at: ({ results }) => results.ended_at,
  variant: ({ variant }) => variant.name,
  viewers: ({ variant }) => variant.viewers,
  impressions: ({ variant }) => variant.impressions,
  pages: ({ variant }) => variant.pages,
  short_pages: ({ variant }) => variant.short_pages,
  metric: ({ rate }) => rate.metric,
  value: ({ rate }) => rate.value,
  ci_low: ({ rate }) => rate.ci_low,
  ci_high: ({ rate }) => rate.ci_high,
  lift: ({ compared }) => compared?.lift,
  lift_ci_low: ({ compared }) => compared?.ci_low,
  lift_ci_high: ({ compared }) => compared?.ci_high,
  p_value_sequential: ({ compared }) => compared?.p_value_sequential,
  decided: ({ compared }) => compared?.decided,
  sample_ratio_ok: ({ results }) => results.sample_ratio?.ok,
};

/** The results of all periods: a line for each variant and metric. */
export function resultsCsv({ results, ended_periods }: Experiment): string {
  const lines = [...ended_periods, results].flatMap((results) =>
    results.variants.flatMap((variant) =>
      variant.rates.map((rate): Line => {
        const compared = results.comparison.find(
          (one) => one.metric === rate.metric && one.variant === variant.name,
        );
        return { results, variant, rate, compared };
      }),
    ),
  );
  const cells = lines.map((line) => Object.values(COLUMNS).map((read) => cellOf(read(line))));
  return [Object.keys(COLUMNS), ...cells].map(spreadsheetRecord).join('');
}

function cellOf(value: string | number | boolean | null | undefined): string | number {
  return typeof value === 'number' ? value : String(value ?? '');
}
