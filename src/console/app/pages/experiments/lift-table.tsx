import { requiredViewers } from '../../../../experiments/statistics/power.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { countText, percentText } from './experiment.ts';

const LIFTS = [0.01, 0.02, 0.05, 0.1, 0.2] as const;

/** A column beside the lifts. `needed` is the number of the feed's viewers that are needed to find a lift. */
export type LiftColumn = Column<{ lift: number; needed: number }>;

/** Whether every variant has viewers. @param percents of the variants, the control first */
export function haveViewers(percents: readonly number[]): boolean {
  return percents.every((percent) => percent > 0);
}

/** The viewers that lifts need. @param spread see `spreadOfShare` */
export function LiftTable(props: {
  percents: readonly number[];
  spread: number;
  columns: readonly LiftColumn[];
}) {
  const [control, ...treatments] = props.percents;
  const plan = {
    ...{ spread: props.spread, treatments_count: treatments.length },
    ...{ control_share: control / 100, treatment_share: Math.min(...treatments) / 100 },
  };
  return (
    <Table
      rows={LIFTS.map((lift) => ({ lift, needed: requiredViewers({ ...plan, lift }) }))}
      keyOf={({ lift }) => lift}
      columns={[
        { title: 'Smallest lift to find', kind: 'name', cell: ({ lift }) => percentText(lift * 100) },
        ...props.columns,
      ]}
    />
  );
}

/** Two digits: more would pretend to know. */
export function neededText(count: number): string {
  return countText(Number(count.toPrecision(2)));
}
