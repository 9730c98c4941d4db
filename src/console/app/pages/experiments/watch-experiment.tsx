import { useState } from 'preact/hooks';
import { spreadOfRate } from '../../../../experiments/statistics/power.ts';
import { linkTo, place, replaceQuery } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/inputs.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { verdictOf } from './conclusions.ts';
import { countText, type Experiment, metricText, percentText, type Results } from './experiment.ts';
import { ExperimentActions } from './experiment-actions.tsx';
import { Status } from './experiment-list.tsx';
import { haveViewers, LiftTable, neededText } from './lift-table.tsx';
import { Rates } from './rates.tsx';
import { Result } from './result.tsx';
import { SampleRatio } from './sample-ratio.tsx';

/** How many viewers a running experiment needs, by what it has measured so far. */
function ViewersNeeded({ experiment, results }: { experiment: Experiment; results: Results }) {
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

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** `2: 3 Mar 2026 to 9 Mar 2026`. */
function periodText({ period, started_at, ended_at }: Results): string {
  const end = ended_at === undefined ? 'now' : DAY.format(ended_at * 1000);
  return `${period}: ${DAY.format(started_at * 1000)} to ${end}`;
}

function Periods({ experiment, periods }: { experiment: Experiment; periods: readonly Results[] }) {
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

/** Metrics that should not get worse, whatever the experiment is about. */
function Guardrails({ results }: { results: Results }) {
  const guarded = results.comparison.filter(({ metric }) => results.guardrails.includes(metric));
  const worse = guarded.filter((comparison) => verdictOf(comparison) === 'worse');
  const names = worse.map(({ metric, variant }) => `${metricText(metric).title.toLowerCase()} (${variant})`);
  return (
    <section class="card" aria-labelledby="guardrails">
      <h2 id="guardrails">Guardrails</h2>
      {worse.length > 0 ? (
        <p class="state warn">
          <Icon name="warning" /> Got worse: {names.join(', ')}
        </p>
      ) : (
        <p>No guardrail is known to be worse. Rare acts need many viewers, so small harm may not show yet.</p>
      )}
      <ComparisonTable comparisons={guarded} has_metric />
    </section>
  );
}

/** What an experiment has found: `#/experiments/exp_1?period=2`. */
export function WatchExperiment({ experiment_id }: { experiment_id: string }) {
  const loaded = useResource(
    (signal) => api().call('GET', '/api/experiments/{id}', { path: { id: experiment_id }, signal }),
    [experiment_id],
  );
  return (
    <Loaded resource={loaded} lines={8}>
      {({ data }) => <Page experiment={data} reload={loaded.reload} is_loading={loaded.is_loading} />}
    </Loaded>
  );
}

function Page(props: { experiment: Experiment; reload: () => void; is_loading: boolean }) {
  const { experiment, reload, is_loading } = props;
  const { experiment_id, name, status } = experiment;
  const periods = [...experiment.ended_periods, experiment.results];
  const wanted = Number(place.value.query.get('period'));
  const results = periods.find(({ period }) => period === wanted) ?? experiment.results;
  return (
    <div class="experiment" aria-busy={is_loading}>
      <div class="head">
        <h1>
          <a href={linkTo(['experiments'])}>Experiments</a> / {name}
        </h1>
        <small>{experiment_id}</small>
        <Status status={status} />
        <Button icon="refresh" label="Refresh" onClick={reload} />
        <ExperimentActions experiment={experiment} onChange={reload} />
      </div>
      <Facts experiment={experiment} results={results} />
      {periods.length > 1 && <PeriodSelect periods={periods} chosen={results} />}
      {results.variants.every(({ viewers }) => viewers === 0) ? (
        <Empty title="No viewer has been counted yet">
          <p>
            Viewers count once posts of their page are recorded as seen: your program sends{' '}
            <code>user_id</code> and asks for the feed {experiment.feed_id}.
          </p>
        </Empty>
      ) : (
        <Found experiment={experiment} results={results} />
      )}
      <Periods experiment={experiment} periods={periods} />
    </div>
  );
}

function Facts({ experiment, results }: { experiment: Experiment; results: Results }) {
  const { feed_id, attribution_hours, variants } = experiment;
  const viewers = results.variants.reduce((sum, one) => sum + one.viewers, 0);
  return (
    <dl class="facts">
      <Fact name="Feed">
        <a href={linkTo(['feeds', feed_id])}>{feed_id}</a>
      </Fact>
      <Fact name="Metric that decides">{metricText(results.metric).title}</Fact>
      <Fact name={results.ended_at === undefined ? 'Running since' : 'Ended'}>
        <Ago at={results.ended_at ?? results.started_at} />
      </Fact>
      <Fact name="Viewers counted">{countText(viewers)}</Fact>
      <Fact name="Variants">{variants.length}</Fact>
      <Fact name="Interactions count for">{attribution_hours} hours</Fact>
    </dl>
  );
}

function PeriodSelect({ periods, chosen }: { periods: readonly Results[]; chosen: Results }) {
  const last = periods[periods.length - 1];
  return (
    <Field label="Period" help="Percents changed in between, so the periods are counted on their own.">
      <Select
        value={String(chosen.period)}
        onChange={(period) => replaceQuery({ period: Number(period) === last.period ? undefined : period })}
        options={periods.toReversed().map((one) => ({ value: String(one.period), text: periodText(one) }))}
      />
    </Field>
  );
}

/** The check first; what must not be compared is behind a warning. */
function Found({ experiment, results }: { experiment: Experiment; results: Results }) {
  const [is_shown, setShown] = useState(false);
  const { ok } = results.sample_ratio;
  return (
    <>
      <SampleRatio experiment={experiment} results={results}>
        {!ok && (
          <Button pressed={is_shown} onClick={() => setShown(!is_shown)}>
            {is_shown ? 'Hide the numbers' : 'Show the numbers all the same'}
          </Button>
        )}
      </SampleRatio>
      {ok && <Result experiment={experiment} results={results} />}
      {(ok || is_shown) && (
        <>
          <Guardrails results={results} />
          <Rates key={results.period} results={results} has_comparison={ok} />
        </>
      )}
      {ok && results.ended_at === undefined && <ViewersNeeded experiment={experiment} results={results} />}
    </>
  );
}
