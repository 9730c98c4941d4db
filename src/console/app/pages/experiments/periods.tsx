import { linkTo } from '../../router.ts';
import { countText, type Experiment, type Results } from './experiment.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** `2: 3 Mar 2026 to 9 Mar 2026`. */
export function periodText({ period, started_at, ended_at }: Results): string {
  const end = ended_at === undefined ? 'now' : DAY.format(ended_at * 1000);
  return `${period}: ${DAY.format(started_at * 1000)} to ${end}`;
}

export function Periods({ experiment, periods }: { experiment: Experiment; periods: readonly Results[] }) {
  if (periods.length < 2) return null;
  return (
    <section class="card" aria-labelledby="periods">
      <h2 id="periods">Periods</h2>
      <p class="help">
        Viewers may change their variant when percents change, so each period counts on its own. Do not add
        their numbers up.
      </p>
      <ul class="periods">
        {periods.toReversed().map((one) => (
          <li key={one.period}>
            <a href={linkTo(['experiments', experiment.experiment_id], { period: String(one.period) })}>
              {periodText(one)}
            </a>{' '}
            <small>{countText(one.variants.reduce((sum, { viewers }) => sum + viewers, 0))} viewers</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
