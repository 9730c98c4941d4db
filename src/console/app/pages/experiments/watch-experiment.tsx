import { useState } from 'preact/hooks';
import { spreadOfRate } from '../../../../experiments/statistics/power.ts';
import { linkTo, place, replaceQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Status, useFeeds } from '../../ui/feeds.tsx';
import { SelectField } from '../../ui/inputs.tsx';
import { Facts, Head, Section } from '../../ui/layout.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Empty, Loaded, Notes } from '../../ui/states.tsx';
import { sum, whole } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';
import { type Experiment, percentText, type Results, titleOf } from './experiment.ts';
import { ExperimentActions } from './experiment-actions.tsx';
import { Guardrails, Rates, Result, SampleRatio, Teams } from './findings.tsx';
import { neededText, ViewersNeeded } from './tables.tsx';

/** Interleaved variants have the same viewers. */
function viewersOf({ method }: Pick<Experiment, 'method'>, { variants }: Results): number {
  const all = variants.map(({ viewers }) => viewers);
  return method === 'interleaving' ? all[0] : sum(all);
}

/** How many viewers a running experiment needs, by what it has measured so far. */
function Needed({ experiment, results }: { experiment: Experiment; results: Results }) {
  const [{ name, rates, viewers }] = results.variants;
  const rate = rates.find(({ metric }) => metric === results.metric);
  const spread = rate && spreadOfRate(rate, viewers);
  const percents = experiment.variants.map(({ percent }) => percent);
  if (spread === undefined || percents.includes(0) || experiment.method === 'interleaving') return null;
  const share_of_all = sum(percents) / 100;
  const counted = viewersOf(experiment, results);
  return (
    <ViewersNeeded
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
      help="If nothing is decided with enough viewers for the lift that matters to you, stop: a lift of that size is unlikely."
    >
      <p>
        By what {name} does so far. {whole(counted)} viewers are counted in all variants together.
      </p>
    </ViewersNeeded>
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
    <Section
      kind="card"
      title="Periods"
      help="The feeds changed in between, so each period counts on its own. Do not add their numbers up."
    >
      <ul class="periods">
        {periods.toReversed().map((one) => (
          <li key={one.period}>
            <a href={linkTo(['experiments', experiment.experiment_id], { period: String(one.period) })}>
              {periodText(one)}
            </a>{' '}
            <small>{whole(viewersOf(experiment, one))} viewers</small>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What an experiment has found: `#/experiments/exp_1?period=2`. */
export function WatchExperiment({ experiment_id }: { experiment_id: string }) {
  const loaded = useAnswer('/api/experiments/{id}', { path: { id: experiment_id } });
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
  const title = [<a href={linkTo(['experiments'])}>Experiments</a>, ` / ${name}`];
  return (
    <div class="experiment" aria-busy={is_loading}>
      <Head title={title}>
        <small>{experiment_id}</small>
        <Status status={status} />
        <Button icon="refresh" label="Refresh" onClick={reload} />
        <ExperimentActions experiment={experiment} onChange={reload} />
      </Head>
      <ChangedFeeds experiment={experiment} />
      <ShortFacts experiment={experiment} results={results} />
      {periods.length > 1 && <PeriodSelect periods={periods} chosen={results} />}
      {viewersOf(experiment, results) === 0 ? (
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

/** A note for each feed that was changed after the period began. */
function ChangedFeeds({ experiment: { pinned = {}, variants } }: { experiment: Experiment }) {
  const feeds = useFeeds();
  return (
    <Notes kind="warn" title="Viewers of this experiment get feeds as they were">
      {(feeds.data ?? []).flatMap(({ config_id, revision }) => {
        const pin = pinned[config_id];
        if (pin === undefined || pin === revision) return [];
        const names = variants.flatMap((variant) => (variant.feed_id === config_id ? [variant.name] : []));
        const link = <a href={linkTo(['feeds', config_id])}>{config_id}</a>;
        const text = `${names.join(' and ')} ${names.length > 1 ? 'serve' : 'serves'} revision ${pin} of `;
        return [
          [text, link, `; the feed is at ${revision}. Take the current feeds to begin a new period with it.`],
        ];
      })}
    </Notes>
  );
}

function ShortFacts({ experiment, results }: { experiment: Experiment; results: Results }) {
  const { feed_id, attribution_hours, variants, method } = experiment;
  const { metric, started_at, ended_at } = results;
  return (
    <Facts
      facts={[
        ['Feed', <a href={linkTo(['feeds', feed_id])}>{feed_id}</a>],
        ['Method', method],
        ['Metric that decides', titleOf(metric, method)],
        [ended_at === undefined ? 'Running since' : 'Ended', <Ago at={ended_at ?? started_at} />],
        ['Viewers counted', whole(viewersOf(experiment, results))],
        ['Variants', variants.length],
        ['Interactions count for', `${attribution_hours} hours`],
      ]}
    />
  );
}

function PeriodSelect({ periods, chosen }: { periods: readonly Results[]; chosen: Results }) {
  const last = periods[periods.length - 1];
  return (
    <SelectField
      label="Period"
      help="The feeds changed in between, so the periods are counted on their own."
      value={String(chosen.period)}
      onChange={(period) => replaceQuery({ period: Number(period) === last.period ? undefined : period })}
      options={periods.toReversed().map((one) => ({ value: String(one.period), text: periodText(one) }))}
    />
  );
}

/** The check first; what must not be compared is behind a warning. */
function Found({ experiment, results }: { experiment: Experiment; results: Results }) {
  const [is_shown, setShown] = useState(false);
  const { sample_ratio } = results;
  if (sample_ratio === null)
    return (
      <>
        <Teams results={results} />
        <Result experiment={experiment} results={results} />
        <Guardrails results={results} method={experiment.method} />
        <Rates key={results.period} results={results} method={experiment.method} has_comparison />
      </>
    );
  const { ok } = sample_ratio;
  return (
    <>
      <SampleRatio experiment={experiment} results={results} check={sample_ratio}>
        {!ok && (
          <Button pressed={is_shown} onClick={() => setShown(!is_shown)}>
            {is_shown ? 'Hide the numbers' : 'Show the numbers all the same'}
          </Button>
        )}
      </SampleRatio>
      {ok && <Result experiment={experiment} results={results} />}
      {(ok || is_shown) && (
        <>
          <Guardrails results={results} method={experiment.method} />
          <Rates key={results.period} results={results} method={experiment.method} has_comparison={ok} />
        </>
      )}
      {ok && results.ended_at === undefined && <Needed experiment={experiment} results={results} />}
    </>
  );
}
