import type {
  ExperimentVariant,
  MetricComparison,
  PeriodTotals,
  VariantTotals,
} from '../model/experiment-content.ts';
import type { TotalsSum } from './metrics.ts';
import { METRIC_NAMES, type MetricName } from './metrics.ts';
import { cohortWidths, MIXED } from './ranges.ts';
import { type Comparison, compareCohorts, undecided } from './statistics/compare.ts';
import { compareCredit } from './statistics/credit.ts';
import { sampleRatio } from './statistics/sample-ratio.ts';

type Variants = PeriodTotals['variants'];
type Compared = NonNullable<PeriodTotals['compared']>;

/** Compares each treatment with the control in each metric. */
function comparedBy(
  names: readonly string[],
  compare: (metric: MetricName, treatment: number) => Comparison,
): MetricComparison[] {
  return names
    .slice(1)
    .flatMap((variant, at) =>
      METRIC_NAMES.map((metric) => ({ metric, variant, ...compare(metric, at + 1) })),
    );
}

/** Compares variants that all had the same percents all the time. */
export function comparedTotals(variants: Variants): Compared {
  const alike = [
    { totals: variants.map(({ totals }) => totals), shares: variants.map(({ percent }) => percent) },
  ];
  return comparedWithin(
    variants.map(({ name }) => name),
    alike,
  );
}

/**
 * Compares variants whose percents changed. A variant that grew later has viewers who had less time, so only viewers of
 * one cohort are compared.
 * @param sums of the cohorts of each variant
 */
export function comparedCohorts(
  variants: readonly ExperimentVariant[],
  sums: readonly ReadonlyMap<string, TotalsSum>[],
): Compared {
  const widths = variants.map(cohortWidths);
  const cohorts = [...new Set(widths.flatMap((of_variant) => [...of_variant.keys()]))]
    .filter((cohort) => cohort !== MIXED)
    .map((cohort) => ({
      totals: sums.map((of_variant) => of_variant.get(cohort)?.result()),
      shares: widths.map((of_variant) => of_variant.get(cohort) ?? 0),
    }));
  return comparedWithin(
    variants.map(({ name }) => name),
    cohorts,
  );
}

interface CountedCohort {
  totals: readonly (VariantTotals | undefined)[];
  /** Of the points of viewers. */
  shares: readonly number[];
}

function comparedWithin(names: readonly string[], cohorts: readonly CountedCohort[]): Compared {
  const comparison = comparedBy(names, (metric, at) => {
    const pairs = cohorts.flatMap(({ totals }) => {
      const [control, treatment] = [totals[0]?.metrics[metric], totals[at]?.metrics[metric]];
      return control && treatment ? [{ control, treatment }] : [];
    });
    return compareCohorts(pairs, { treatments_count: names.length - 1 });
  });
  const sample_ratio = sampleRatio(
    cohorts.map(({ totals, shares }) => ({ counts: totals.map((each) => each?.viewers ?? 0), shares })),
  );
  return { comparison, sample_ratio };
}

/** The totals of two teams over the same viewers. */
export interface TeamTotals {
  variants: Variants;
  /** The sums over viewers of the product of both teams' acts, by metric. */
  products: Map<MetricName, number>;
}

/** Compares interleaved variants by the acts on their items. Other metrics are those of the page. */
export function comparedTeams({ variants, products }: TeamTotals): Compared {
  const [control, treatment] = variants.map(({ totals }) => totals.metrics);
  const comparison = comparedBy(
    variants.map(({ name }) => name),
    (metric) => {
      const product = products.get(metric);
      if (product === undefined) return undecided(null);
      return compareCredit(control[metric], treatment[metric], product);
    },
  );
  return { comparison, sample_ratio: null };
}
