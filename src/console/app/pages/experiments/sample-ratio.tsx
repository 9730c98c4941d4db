import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import { countText, type Experiment, percentText, pValueSentence, type Results } from './experiment.ts';

/** Whether the variants may be compared at all. It comes before every other result. */
export function SampleRatio(props: {
  experiment: Experiment;
  results: Results;
  children: ComponentChildren;
}) {
  const { experiment, results, children } = props;
  const { p_value, ok } = results.sample_ratio;
  const is_current = results.period === experiment.period;
  return (
    <section class={ok ? 'card' : 'card mismatch'} aria-labelledby="ratio">
      <h2 id="ratio">Are the groups comparable?</h2>
      <p class={ok ? 'state good' : 'state warn'} role={ok ? undefined : 'alert'}>
        <Icon name={ok ? 'check' : 'warning'} />
        {ok ? headlineOf(p_value) : 'No. Do not compare these variants.'}
      </p>
      {!ok && (
        <>
          <p>
            The numbers of viewers do not fit the percents, and chance does not explain it (
            {pValueSentence(p_value)}). So some viewers are missing from a variant, or counted twice, and
            those who are left are not alike. Any difference below may come from that.
          </p>
          <p>Look for:</p>
          <ul>
            <li>a variant whose pages are empty or fail, so that nothing is recorded as seen;</li>
            <li>a program that caches pages, or asks some viewers' feed by another id;</li>
            <li>bots that land in one variant.</li>
          </ul>
          <p>
            Mend the cause, then change the percents or start again: a new period begins without these
            viewers.
          </p>
        </>
      )}
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            {is_current && (
              <th scope="col" class="number">
                Percent
              </th>
            )}
            <th scope="col" class="number">
              Viewers
            </th>
            <th scope="col" class="number extra">
              Pages
            </th>
            <th scope="col" class="number extra">
              Posts shown
            </th>
          </tr>
        </thead>
        <tbody>
          {results.variants.map(({ name, viewers, pages, impressions }, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {is_current && <td class="number">{percentText(experiment.variants[index].percent)}</td>}
              <td class="number">{countText(viewers)}</td>
              <td class="number extra">{countText(pages)}</td>
              <td class="number extra">{countText(impressions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </section>
  );
}

function headlineOf(p_value: number | null): string {
  if (p_value === null) return 'Too few viewers to check yet';
  return `Yes. The numbers of viewers fit the percents (${pValueSentence(p_value)}).`;
}
