import { useState } from 'preact/hooks';
import { requiredViewers, spreadOfShare } from '../../../../experiments/statistics/power.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/inputs.tsx';
import { countText, type Metric, metricText, percentText } from './experiment.ts';

/** Lifts that tables show. */
export const LIFTS = [0.01, 0.02, 0.05, 0.1, 0.2] as const;

const SHARE_PERCENT = 20;

/** How many viewers a new experiment needs. @param percents of the variants, the control first */
export function Plan({ metric, percents }: { metric: Metric; percents: readonly number[] }) {
  const [share_percent, setSharePercent] = useState<number | undefined>(SHARE_PERCENT);
  const { is_share, title } = metricText(metric);
  const [control, ...treatments] = percents;
  const smallest = Math.min(...treatments);
  const is_possible = control > 0 && smallest > 0;
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
        {(ids) => (
          <NumberInput
            {...{ ids, min: 0, max: 100, step: 'any' }}
            value={share_percent}
            onChange={setSharePercent}
          />
        )}
      </Field>
      {is_possible && is_valid ? (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Smallest lift to find</th>
              <th scope="col" class="number">
                Viewers of the feed
              </th>
            </tr>
          </thead>
          <tbody>
            {LIFTS.map((lift) => (
              <tr key={lift}>
                <th scope="row">{percentText(lift * 100)}</th>
                <td class="number">
                  {countText(
                    rounded(
                      requiredViewers({
                        ...{ lift, spread: spreadOfShare(share), treatments_count: treatments.length },
                        ...{ control_share: control / 100, treatment_share: smallest / 100 },
                      }),
                    ),
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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

/** Two digits: more would pretend to know. */
export function rounded(count: number): number {
  return Number(count.toPrecision(2));
}
