import { linkTo } from '../../router.ts';
import { IntervalChart } from '../../ui/interval-chart.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { conclusionOf, VERDICTS, verdictOf } from './conclusions.ts';
import { type Comparison, type Experiment, liftText, metricText, type Results } from './experiment.ts';

/** The metric that decides: what to conclude, and what not to conclude. */
export function Result({ experiment, results }: { experiment: Experiment; results: Results }) {
  const [control] = results.variants;
  const comparisons = results.comparison.filter(({ metric }) => metric === results.metric);
  const { title } = metricText(results.metric);
  return (
    <section class="card" aria-labelledby="result">
      <h2 id="result">Result: {title.toLowerCase()}</h2>
      {comparisons.map((comparison) => (
        <Conclusion key={comparison.variant} {...{ experiment, comparison }} control={control.name} />
      ))}
      <h3>Difference to {control.name}</h3>
      <IntervalChart
        title={`Difference to ${control.name}: ${title}`}
        rows={comparisons.map(({ variant, lift, ci_low, ci_high }) => ({
          ...{ name: variant, value: lift, low: ci_low, high: ci_high },
        }))}
        textOf={liftText}
        has_zero
        first_colour={1}
      />
      <ComparisonTable comparisons={comparisons} />
      <p class="help">
        These intervals and p-values stay valid however often you look, and are corrected for the number of
        variants.
      </p>
      <NotToConclude />
    </section>
  );
}

function Conclusion(props: { experiment: Experiment; comparison: Comparison; control: string }) {
  const { experiment, comparison, control } = props;
  const { says, next } = conclusionOf(comparison, control);
  const verdict = verdictOf(comparison);
  const feed_id = experiment.variants.find(({ name }) => name === comparison.variant)?.feed_id;
  return (
    <div class={`conclusion ${verdict}`}>
      <h3>
        {comparison.variant}: <span class="finding">{VERDICTS[verdict].toLowerCase()}</span>
      </h3>
      <p>{says}</p>
      <p>
        {next}{' '}
        {feed_id !== undefined && feed_id !== experiment.feed_id && (
          <a href={linkTo(['compare'], { left: experiment.feed_id, right: feed_id })}>Compare the feeds</a>
        )}
      </p>
    </div>
  );
}

function NotToConclude() {
  return (
    <details>
      <summary>What not to conclude</summary>
      <ul>
        <li>
          <strong>Not decided is not equal.</strong> It means that this many viewers cannot tell. The interval
          says how large the difference may still be.
        </li>
        <li>
          <strong>A longer bar is not a better variant.</strong> Until it is decided, chance alone may have
          made it.
        </li>
        <li>
          <strong>Other metrics do not decide.</strong> Of twenty metrics, one is likely to look different by
          chance. Treat them as questions for the next experiment.
        </li>
        <li>
          <strong>A difference that is found early looks too large.</strong> Trust the interval more than the
          number in its middle.
        </li>
        <li>
          <strong>It holds for these viewers and these weeks.</strong> What is new attracts people at first,
          and weekends differ from weekdays. Run at least one whole week.
        </li>
      </ul>
      <p>
        <a href="docs/experiments">How experiments and their statistics work</a>
      </p>
    </details>
  );
}
