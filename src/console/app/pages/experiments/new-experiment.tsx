import { useState } from 'preact/hooks';
import { spreadOfShare } from '../../../../experiments/statistics/power.ts';
import { LIMITS } from '../../../../limits.ts';
import { linkTo, place } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { feedOption, type SavedFeed, useFeeds } from '../../ui/feeds.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorText, NumberField, SelectField, TextField } from '../../ui/inputs.tsx';
import { Head, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { type DraftForm, NO_FEED, useDraft } from './draft.ts';
import { CREDIT_METRICS, METRICS, type Method, type Metric, titleOf } from './experiment.ts';
import { type LiftColumn, neededText, ViewersNeeded } from './tables.tsx';
import { PERCENT, VariantRows } from './variant-rows.tsx';

const SHARE_PERCENT = 20;

const COLUMNS: readonly LiftColumn[] = [
  { title: 'Viewers of the feed', kind: 'number', cell: ({ needed }) => neededText(needed) },
];

/** The metrics that can decide. */
function metricOptions(method: Method) {
  const metrics = method === 'split' ? (Object.keys(METRICS) as Metric[]) : CREDIT_METRICS;
  return metrics.map((value) => ({ value, text: titleOf(value, method) }));
}

/** How many viewers a new experiment needs. @param percents of the variants, the control first */
function Plan({ metric, percents }: { metric: Metric; percents: readonly number[] }) {
  const [share_percent, setSharePercent] = useState<number | undefined>(SHARE_PERCENT);
  const { is_share, title } = METRICS[metric];
  const share = (share_percent ?? 0) / 100;
  const is_valid = share > 0 && share < 1;
  return (
    <ViewersNeeded
      percents={percents}
      spread={is_valid ? spreadOfShare(share) : undefined}
      columns={COLUMNS}
      help="Viewers without a variant are part of the number."
    >
      <NumberField
        label={is_share ? `${title} today, in percent` : 'Viewers who do it at least once, in percent'}
        help={
          is_share
            ? 'Your best guess is enough.'
            : 'A guess is enough. If few viewers do much of it all, more are needed than the table says.'
        }
        error={is_valid ? undefined : 'Enter a number between 0 and 100.'}
        {...PERCENT}
        value={share_percent}
        onChange={setSharePercent}
      />
    </ViewersNeeded>
  );
}

/** Sets up an experiment. `?feed=` chooses its feed. */
export function NewExperiment() {
  const feeds = useFeeds();
  return (
    <>
      <Head title="New experiment" />
      <Loaded resource={feeds}>
        {(all) => {
          const active = all.filter(({ status }) => status === 'active');
          if (active.length > 0) return <ExperimentForm feeds={active} />;
          return (
            <Empty title="There is no active feed">
              <p>An experiment compares saved feeds. Make one for your viewers, and one to try.</p>
              <ButtonLink kind="primary" icon="plus" href={linkTo(['feeds', 'new'])}>
                New feed
              </ButtonLink>
            </Empty>
          );
        }}
      </Loaded>
    </>
  );
}

function ExperimentForm({ feeds }: { feeds: readonly SavedFeed[] }) {
  const wanted = place.value.query.get('feed');
  // Of several feeds, none is a better guess than another.
  const first = feeds.length === 1 ? feeds[0] : feeds.find(({ config_id }) => config_id === wanted);
  const form = useDraft(first?.config_id ?? NO_FEED);
  const { draft, create, is_busy, error } = form;
  return (
    <Form class="new-experiment" onSubmit={create}>
      <div class="parts">
        <NameAndFeed feeds={feeds} form={form} />
        <MethodField form={form} />
        {draft.feed_id !== NO_FEED && <VariantRows feeds={feeds} form={form} />}
        <Counted form={form} />
        <ErrorText text={error} />
        <div class="row">
          <Button kind="primary" type="submit" disabled={is_busy}>
            Start the experiment
          </Button>
          <ButtonLink href={linkTo(['experiments'])}>Cancel</ButtonLink>
        </div>
      </div>
      {draft.method === 'split' ? (
        <Plan metric={draft.metric} percents={draft.variants.map(({ percent = 0 }) => percent)} />
      ) : (
        <InterleavingPlan />
      )}
    </Form>
  );
}

const METHODS = [
  { value: 'split', text: 'Split: each viewer gets one variant' },
  { value: 'interleaving', text: 'Interleaving: each page has posts of both' },
] as const satisfies readonly { value: Method; text: string }[];

const METHOD_HELP: Readonly<Record<Method, string>> = {
  split: 'Measures anything, also whether viewers come back. Needs many viewers.',
  interleaving: 'Compares which of two feeds chooses the posts that people act on. Needs far fewer viewers.',
};

function MethodField({ form: { draft, chooseMethod, faultAt } }: { form: DraftForm }) {
  return (
    <SelectField<Method>
      label="Method"
      help={METHOD_HELP[draft.method]}
      error={faultAt('/method')}
      value={draft.method}
      onChange={chooseMethod}
      options={METHODS}
    />
  );
}

function InterleavingPlan() {
  return (
    <Section kind="card" title="How many viewers are needed">
      <p>
        Often a tenth of those that a split needs: each viewer compares both feeds, so it does not matter how
        much each of them does.
      </p>
      <p class="help">
        Both feeds choose posts in turns, and a post counts for the feed that chose it. Promotions, diversity
        and fallbacks of the page are those of the control. Interleaving does not tell whether people come
        back, or do more in all: try a winner with a split, too.
      </p>
    </Section>
  );
}

function NameAndFeed({ feeds, form }: { feeds: readonly SavedFeed[]; form: DraftForm }) {
  const { draft, change, chooseFeed, faultAt } = form;
  const none = { value: NO_FEED, text: 'Choose a feed' };
  return (
    <>
      <TextField
        label="Name"
        error={faultAt('/name')}
        value={draft.name}
        placeholder="What you try, such as: newer posts first"
        onChange={(name) => change({ name })}
        is_first
      />
      <SelectField
        label="Feed"
        help="The feed that your program asks for. It goes on asking for it, and viewers get the variants."
        error={draft.feed_id === NO_FEED && faultAt('/feed_id') ? 'Choose a feed.' : faultAt('/feed_id')}
        value={draft.feed_id}
        onChange={chooseFeed}
        options={[...(draft.feed_id === NO_FEED ? [none] : []), ...feeds.map(feedOption)]}
      />
    </>
  );
}

/** What is counted, and how long after a post was shown. */
function Counted({ form: { draft, change, faultAt } }: { form: DraftForm }) {
  return (
    <>
      <SelectField
        label="Metric that decides"
        help={`${METRICS[draft.metric].help} Choose it now: the others do not decide later.`}
        error={faultAt('/metric')}
        value={draft.metric}
        onChange={(metric) => change({ metric })}
        options={metricOptions(draft.method)}
      />
      <NumberField
        label="Hours in which an interaction counts"
        help={`After the feed showed the post to the viewer. 1 to ${LIMITS.attribution_hours_max}.`}
        error={faultAt('/attribution_hours')}
        {...{ min: 1, max: LIMITS.attribution_hours_max, step: 1 }}
        value={draft.attribution_hours}
        onChange={(attribution_hours) => change({ attribution_hours })}
      />
    </>
  );
}
