import { useState } from 'preact/hooks';
import { spreadOfShare } from '../../../../experiments/statistics/power.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/inputs.tsx';
import { type Metric, metricText } from './experiment.ts';
import { haveViewers, type LiftColumn, LiftTable, neededText } from './lift-table.tsx';

const SHARE_PERCENT = 20;

const COLUMNS: readonly LiftColumn[] = [
  { title: 'Viewers of the feed', kind: 'number', cell: ({ needed }) => neededText(needed) },
];

/** How many viewers a new experiment needs. @param percents of the variants, the control first */
export function Plan({ metric, percents }: { metric: Metric; percents: readonly number[] }) {
  const [share_percent, setSharePercent] = useState<number | undefined>(SHARE_PERCENT);
  const { is_share, title } = metricText(metric);
  const share = (share_percent ?? 0) / 100;
  const is_valid = share > 0 && share < 1;
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">How many viewers are needed</h2>
      <Field
        label={is_share ? `${title} today, in percent` : 'Viewers who do it at least once, in percent'}
        help={
          is_share
            ? 'Your best guess is enough.'
            : 'A guess is enough. If few viewers do much of it all, more are needed than the table says.'
        }
        error={is_valid ? undefined : 'Enter a number between 0 and 100.'}
      >
        <NumberInput
          {...{ min: 0, max: 100, step: 'any' }}
          value={share_percent}
          onChange={setSharePercent}
        />
      </Field>
      {haveViewers(percents) && is_valid ? (
        <LiftTable percents={percents} spread={spreadOfShare(share)} columns={COLUMNS} />
      ) : (
        <p class="help">Give every variant a percent above 0.</p>
      )}
      <p class="help">
        With that many, such a lift is found in at least 80 of 100 experiments. Viewers without a variant are
        part of the number.
      </p>
    </section>
  );
}
