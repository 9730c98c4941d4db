import { useState } from 'preact/hooks';
import { linkTo, place, replaceQuery } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { countText, type Experiment, metricText, type Results } from './experiment.ts';
import { ExperimentActions } from './experiment-actions.tsx';
import { Status } from './experiment-list.tsx';
import { Guardrails } from './guardrails.tsx';
import { Periods, periodText } from './periods.tsx';
import { Rates } from './rates.tsx';
import { Result } from './result.tsx';
import { SampleRatio } from './sample-ratio.tsx';
import { ViewersNeeded } from './viewers-needed.tsx';

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
      {results.is_full && (
        <p class="note warn">
          There is no room to count further viewers. The results cover those who came first.
        </p>
      )}
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
