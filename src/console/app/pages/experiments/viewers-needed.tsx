import { requiredViewers, spreadOfRate } from '../../../../experiments/statistics/power.ts';
import { countText, type Experiment, percentText, type Results } from './experiment.ts';
import { LIFTS, rounded } from './plan.tsx';

/** How many viewers a running experiment needs, by what it has measured so far. */
export function ViewersNeeded({ experiment, results }: { experiment: Experiment; results: Results }) {
  const [{ rates, viewers: control_viewers }] = results.variants;
  const rate = rates.find(({ metric }) => metric === results.metric);
  const spread = rate && spreadOfRate(rate, control_viewers);
  if (spread === undefined) return null;
  const percents = experiment.variants.map(({ percent }) => percent);
  const [control, ...treatments] = percents;
  const smallest = Math.min(...treatments);
  if (control === 0 || smallest === 0) return null;
  const share_of_all = percents.reduce((sum, percent) => sum + percent, 0) / 100;
  const counted = results.variants.reduce((sum, { viewers }) => sum + viewers, 0);
  return (
    <section class="card" aria-labelledby="needed">
      <h2 id="needed">How many viewers are needed</h2>
      <p>
        By what {results.variants[0].name} does so far. {countText(counted)} viewers are counted in all
        variants together.
      </p>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Smallest lift to find</th>
            <th scope="col" class="number">
              Viewers needed
            </th>
            <th scope="col">So far</th>
          </tr>
        </thead>
        <tbody>
          {LIFTS.map((lift) => {
            const plan = { control_share: control / 100, treatment_share: smallest / 100 };
            const all = requiredViewers({ ...plan, lift, spread, treatments_count: treatments.length });
            const needed = all * share_of_all;
            return (
              <tr key={lift}>
                <th scope="row">{percentText(lift * 100)}</th>
                <td class="number">{countText(rounded(needed))}</td>
                <td>
                  {counted >= needed ? 'enough' : `${percentText(Math.floor((100 * counted) / needed))}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="help">
        With that many, such a lift is found in at least 80 of 100 experiments. If nothing is decided with
        enough viewers for the lift that matters to you, stop: a lift of that size is unlikely.
      </p>
    </section>
  );
}
