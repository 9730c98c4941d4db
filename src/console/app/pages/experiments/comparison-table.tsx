import { type Column, Table } from '../../ui/table.tsx';
import { VERDICTS, verdictOf } from './conclusions.ts';
import { type Comparison, intervalText, liftText, metricText, pValueText } from './experiment.ts';

const FIGURES: readonly Column<Comparison>[] = [
  { title: 'Difference', kind: 'number', cell: ({ lift }) => liftText(lift) },
  {
    title: 'Between',
    kind: 'number',
    is_extra: true,
    cell: ({ ci_low, ci_high }) => intervalText(ci_low, ci_high, liftText),
  },
  {
    title: 'p-value',
    kind: 'number',
    is_extra: true,
    cell: ({ p_value_sequential }) => pValueText(p_value_sequential),
  },
  { title: 'Verdict', cell: (comparison) => <Finding comparison={comparison} /> },
];

/** Comparisons as text. @param has_metric they are about several metrics */
export function ComparisonTable(props: { comparisons: readonly Comparison[]; has_metric?: boolean }) {
  const { comparisons, has_metric = false } = props;
  const variant = (kind?: 'name'): Column<Comparison> => ({
    title: 'Variant',
    kind,
    cell: (row) => row.variant,
  });
  const metric: Column<Comparison> = {
    title: 'Metric',
    kind: 'name',
    cell: (row) => metricText(row.metric).title,
  };
  return (
    <Table
      columns={[...(has_metric ? [metric, variant()] : [variant('name')]), ...FIGURES]}
      rows={comparisons}
      keyOf={(row) => `${row.metric} ${row.variant}`}
    />
  );
}

function Finding({ comparison }: { comparison: Comparison }) {
  const verdict = verdictOf(comparison);
  return <span class={`finding ${verdict}`}>{VERDICTS[verdict]}</span>;
}
