import { spreadOfRate } from '../../../../experiments/statistics/power.ts';
import { countText, type Experiment, percentText, type Results } from './experiment.ts';
import { haveViewers, LiftTable, neededText } from './lift-table.tsx';

/** How many viewers a running experiment needs, by what it has measured so far. */
export function ViewersNeeded({ experiment, results }: { experiment: Experiment; results: Results }) {
  const [{ rates, viewers: control_viewers }] = results.variants;
  const rate = rates.find(({ metric }) => metric === results.metric);
  const spread = rate && spreadOfRate(rate, control_viewers);
  if (spread === undefined) return null;
  const percents = experiment.variants.map(({ percent }) => percent);
  if (!haveViewers(percents)) return null;
  const share_of_all = percents.reduce((sum, percent) => sum + percent, 0) / 100;
  const counted = results.variants.reduce((sum, { viewers }) => sum + viewers, 0);
  return (
    <section class="card" aria-labelledby="needed">
      <h2 id="needed">How many viewers are needed</h2>
      <p>
        By what {results.variants[0].name} does so far. {countText(counted)} viewers are counted in all
        variants together.
      </p>
      <LiftTable
        percents={percents}
        spread={spread}
        columns={[
          {
            title: 'Viewers needed',
            kind: 'number',
            cell: ({ needed }) => neededText(needed * share_of_all),
          },
          { title: 'So far', cell: ({ needed }) => soFar(counted / (needed * share_of_all)) },
        ]}
      />
      <p class="help">
        With that many, such a lift is found in at least 80 of 100 experiments. If nothing is decided with
        enough viewers for the lift that matters to you, stop: a lift of that size is unlikely.
      </p>
    </section>
  );
}

function soFar(share: number): string {
  return share >= 1 ? 'enough' : percentText(Math.floor(100 * share));
}
