import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../../router.ts';
import { Icon } from '../../ui/icon.tsx';
import { SelectField } from '../../ui/inputs.tsx';
import { IntervalChart } from '../../ui/interval-chart.tsx';
import { Section } from '../../ui/layout.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { whole } from '../../ui/texts.ts';
import { conclusionOf, creditConclusionOf, VERDICTS, verdictOf } from './conclusions.ts';
import {
  CREDIT_METRICS,
  type Experiment,
  intervalText,
  liftText,
  METRICS,
  type Method,
  percentText,
  pValueSentence,
  type Results,
  rateText,
  titleOf,
} from './experiment.ts';
import { ComparisonTable } from './tables.tsx';

type Variant = Results['variants'][number];

/** Former percents are not known, so they are only shown for the current period. */
function countsOf({ variants, period }: Experiment, results: Results): Column<Variant>[] {
  const percents = new Map(variants.map(({ name, percent }) => [name, percent]));
  const percent: Column<Variant> = {
    ...{ title: 'Percent', kind: 'number', cell: ({ name }) => percentText(percents.get(name) ?? 0) },
  };
  return [
    { title: 'Variant', kind: 'name', cell: ({ name }) => name },
    ...(results.period === period ? [percent] : []),
    { title: 'Viewers', kind: 'number', cell: ({ viewers }) => whole(viewers) },
    { title: 'Pages', kind: 'number', is_extra: true, cell: ({ pages }) => whole(pages) },
    { title: 'Posts shown', kind: 'number', is_extra: true, cell: ({ impressions }) => whole(impressions) },
  ];
}

/** Whether the variants may be compared at all. It comes before every other result. */
export function SampleRatio(props: {
  experiment: Experiment;
  results: Results;
  check: NonNullable<Results['sample_ratio']>;
  children: ComponentChildren;
}) {
  const { experiment, results, check, children } = props;
  const { p_value, ok } = check;
  return (
    <Section kind={ok ? 'card' : 'card mismatch'} title="Are the groups comparable?">
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
          <p>Mend the cause, then take the current feeds: a new period begins and counts from nothing.</p>
        </>
      )}
      <Table columns={countsOf(experiment, results)} rows={results.variants} keyOf={({ name }) => name} />
      {children}
    </Section>
  );
}

/** What both teams of interleaved pages have shown. */
export function Teams({ results }: { results: Results }) {
  const columns: Column<Variant>[] = [
    { title: 'Variant', kind: 'name', cell: ({ name }) => name },
    { title: 'Posts shown', kind: 'number', cell: ({ impressions }) => whole(impressions) },
  ];
  const [{ viewers, pages }] = results.variants;
  return (
    <Section kind="card" title="What was shown">
      <p>
        {whole(viewers)} viewers saw {whole(pages)} pages with posts of both variants, which chose them in
        turns.
      </p>
      <Table columns={columns} rows={results.variants} keyOf={({ name }) => name} />
    </Section>
  );
}

function headlineOf(p_value: number | null): string {
  if (p_value === null) return 'Too few viewers to check yet';
  return `Yes. The numbers of viewers fit the percents (${pValueSentence(p_value)}).`;
}

/** The metric that decides: what to conclude, and what not to conclude. */
export function Result({ experiment, results }: { experiment: Experiment; results: Results }) {
  const control = results.variants[0].name;
  const comparisons = results.comparison.filter(({ metric }) => metric === results.metric);
  const { method } = experiment;
  const title = titleOf(results.metric, method);
  const is_credit = method === 'interleaving';
  const conclude = is_credit ? creditConclusionOf : conclusionOf;
  const feedOf = (variant: string) => experiment.variants.find(({ name }) => name === variant)?.feed_id;
  return (
    <Section kind="card" title={`Result: ${title.toLowerCase()}`}>
      {comparisons.map((comparison) => {
        const verdict = verdictOf(comparison);
        const [left, right] = [experiment.feed_id, feedOf(comparison.variant)];
        return (
          <div key={comparison.variant} class={`conclusion ${verdict}`}>
            <h3>
              {comparison.variant}: <span class="finding">{VERDICTS[verdict].text.toLowerCase()}</span>
            </h3>
            <p>{conclude(comparison, control)}</p>
            <p>
              {VERDICTS[verdict].next}{' '}
              {right !== undefined && right !== left && (
                <a href={linkTo(['compare'], { left, right })}>Compare the feeds</a>
              )}
            </p>
          </div>
        );
      })}
      <h3>Difference to {control}</h3>
      <IntervalChart
        title={`Difference to ${control}: ${title}`}
        rows={comparisons.map(({ variant, lift, ci_low, ci_high }) => ({
          ...{ name: variant, value: lift, low: ci_low, high: ci_high },
        }))}
        textOf={liftText}
        has_zero
        first_colour={1}
      />
      <ComparisonTable comparisons={comparisons} />
      {is_credit && (
        <p class="help">
          The difference of the acts that both variants get, as a share of all: 0% if they get as many, and
          +20% if there are 60 and 40 of 100.
        </p>
      )}
      <p class="help">
        These intervals and p-values stay valid however often you look, and are corrected for the number of
        variants.
      </p>
      <NotToConclude />
    </Section>
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

/** Metrics that should not get worse, whatever the experiment is about. */
export function Guardrails({ results, method }: { results: Results; method: Method }) {
  const guarded = results.comparison.filter(
    ({ metric }) =>
      results.guardrails.includes(metric) && (method === 'split' || CREDIT_METRICS.includes(metric)),
  );
  const worse = guarded.filter((comparison) => verdictOf(comparison) === 'worse');
  const names = worse.map(({ metric, variant }) => `${METRICS[metric].title.toLowerCase()} (${variant})`);
  return (
    <Section kind="card" title="Guardrails">
      {worse.length > 0 ? (
        <p class="state warn">
          <Icon name="warning" /> Got worse: {names.join(', ')}
        </p>
      ) : (
        <p>No guardrail is known to be worse. Rare acts need many viewers, so small harm may not show yet.</p>
      )}
      <ComparisonTable comparisons={guarded} of_metrics={method} />
    </Section>
  );
}

/** The rates of any metric. */
export function Rates(props: { results: Results; method: Method; has_comparison: boolean }) {
  const { results, method, has_comparison } = props;
  const [metric, setMetric] = useState(results.metric);
  const { help } = METRICS[metric];
  const title = titleOf(metric, method);
  const rows = results.variants.map(({ name, rates, latency }) => {
    const rate = rates.find((one) => one.metric === metric);
    const { value = null, ci_low = null, ci_high = null } = rate ?? {};
    return { name, value, low: ci_low, high: ci_high, latency };
  });
  const comparisons = results.comparison.filter((one) => one.metric === metric);
  const options = results.variants[0].rates.map((rate) => ({
    ...{ value: rate.metric, text: titleOf(rate.metric, method) },
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'Variant', kind: 'name', cell: ({ name }) => name },
    { title, kind: 'number', cell: ({ value }) => rateText(value, metric) },
    {
      title: '95% interval',
      kind: 'number',
      cell: ({ low, high }) => intervalText(low, high, (end) => rateText(end, metric)),
    },
    {
      title: 'Time to build a page',
      kind: 'number',
      is_extra: true,
      cell: ({ latency }) => (latency?.pages ? `${latency.mean_ms.toFixed(1)} ms` : '–'),
    },
  ];
  return (
    <Section kind="card" title="Rates">
      <SelectField label="Metric" help={help} value={metric} onChange={setMetric} options={options} />
      <IntervalChart title={title} rows={rows} textOf={(value) => rateText(value, metric)} />
      <Table rows={rows} keyOf={({ name }) => name} columns={columns} />
      <p class="help">Each interval is about one variant. Whether two overlap does not compare them.</p>
      {has_comparison && metric !== results.metric && (
        <>
          <h3>Difference to {results.variants[0].name}</h3>
          <ComparisonTable comparisons={comparisons} />
          <p class="help">This metric was not chosen to decide, so take it as a hint.</p>
        </>
      )}
    </Section>
  );
}
