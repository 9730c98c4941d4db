import type { ComponentChildren } from 'preact';
import { requiredViewers } from '../../../../experiments/statistics/power.ts';
import { Section } from '../../ui/layout.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { whole } from '../../ui/texts.ts';
import { VERDICTS, verdictOf } from './conclusions.ts';
import {
  type Comparison,
  intervalText,
  liftText,
  type Method,
  percentText,
  pValueText,
  titleOf,
} from './experiment.ts';

/** Comparisons as text. @param of_metrics they are about several metrics, as this method counts them */
export function ComparisonTable(props: { comparisons: readonly Comparison[]; of_metrics?: Method }) {
  const { comparisons, of_metrics } = props;
  const metric: Column<Comparison> = {
    ...{ title: 'Metric', kind: 'name', cell: (row) => titleOf(row.metric, of_metrics ?? 'split') },
  };
  const variant: Column<Comparison> = {
    ...{ title: 'Variant', kind: of_metrics ? undefined : 'name', cell: (row) => row.variant },
  };
  return (
    <Table
      columns={[...(of_metrics ? [metric] : []), variant, ...FIGURES]}
      rows={comparisons}
      keyOf={(row) => `${row.metric} ${row.variant}`}
    />
  );
}

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
  {
    title: 'Verdict',
    cell: (comparison) => {
      const verdict = verdictOf(comparison);
      return <span class={`finding ${verdict}`}>{VERDICTS[verdict].text}</span>;
    },
  },
];

const LIFTS = [0.01, 0.02, 0.05, 0.1, 0.2] as const;

/** A column beside the lifts. `needed` is the number of the feed's viewers that are needed to find a lift. */
export type LiftColumn = Column<{ lift: number; needed: number }>;

/** How many viewers lifts need. @param percents of the variants, the control first @param spread see `spreadOfShare` */
export function ViewersNeeded(props: {
  percents: readonly number[];
  /** Undefined: it is not known. */
  spread: number | undefined;
  columns: readonly LiftColumn[];
  /** Below the table. */
  help: string;
  children: ComponentChildren;
}) {
  const { percents, spread, columns, help, children } = props;
  const [control, ...treatments] = percents;
  const have_viewers = percents.every((percent) => percent > 0);
  const shares = { control_share: control / 100, treatment_share: Math.min(...treatments) / 100 };
  const rowOf = (spread: number, lift: number) => ({
    lift,
    needed: requiredViewers({ ...shares, spread, lift, treatments_count: treatments.length }),
  });
  return (
    <Section kind="card" title="How many viewers are needed">
      {children}
      {have_viewers && spread !== undefined ? (
        <Table
          rows={LIFTS.map((lift) => rowOf(spread, lift))}
          columns={[
            { title: 'Smallest lift to find', kind: 'name', cell: ({ lift }) => percentText(lift * 100) },
            ...columns,
          ]}
        />
      ) : (
        <p class="help">Give every variant a percent above 0.</p>
      )}
      <p class="help">With that many, such a lift is found in at least 80 of 100 experiments. {help}</p>
    </Section>
  );
}

/** A number of viewers, rounded to two significant digits because it is an estimate. */
export function neededText(count: number): string {
  return whole(Number(count.toPrecision(2)));
}
