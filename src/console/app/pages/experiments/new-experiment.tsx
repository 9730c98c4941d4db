import { useState } from 'preact/hooks';
import { spreadOfShare } from '../../../../experiments/statistics/power.ts';
import { linkTo, place } from '../../router.ts';
import { api } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { NumberInput, Select, TextInput } from '../../ui/inputs.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import type { SavedFeed } from '../feeds/feed.ts';
import { NO_FEED, useDraft } from './draft.ts';
import { METRIC_NAMES, type Metric, metricText } from './experiment.ts';
import { haveViewers, type LiftColumn, LiftTable, neededText } from './lift-table.tsx';
import { VariantRows } from './variant-rows.tsx';

const SHARE_PERCENT = 20;

const COLUMNS: readonly LiftColumn[] = [
  { title: 'Viewers of the feed', kind: 'number', cell: ({ needed }) => neededText(needed) },
];

/** How many viewers a new experiment needs. @param percents of the variants, the control first */
function Plan({ metric, percents }: { metric: Metric; percents: readonly number[] }) {
  const [share_percent, setSharePercent] = useState<number | undefined>(SHARE_PERCENT);
  const { is_share, title } = metricText(metric);
  const share = (share_percent ?? 0) / 100;
  const is_valid = share > 0 && share < 1;
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">How many viewers are needed</h2>
      <Field
        label={is_share ? `${title} today, in percent` : 'Viewers who do it at least once, in percent'}
        help={
          is_share
            ? 'Your best guess is enough.'
            : 'A guess is enough. If few viewers do much of it all, more are needed than the table says.'
        }
        error={is_valid ? undefined : 'Enter a number between 0 and 100.'}
      >
        <NumberInput
          {...{ min: 0, max: 100, step: 'any' }}
          value={share_percent}
          onChange={setSharePercent}
        />
      </Field>
      {haveViewers(percents) && is_valid ? (
        <LiftTable percents={percents} spread={spreadOfShare(share)} columns={COLUMNS} />
      ) : (
        <p class="help">Give every variant a percent above 0.</p>
      )}
      <p class="help">
        With that many, such a lift is found in at least 80 of 100 experiments. Viewers without a variant are
        part of the number.
      </p>
    </section>
  );
}

const FEEDS_MAX = 1_000;

/** Sets up an experiment. `?feed=` chooses its feed. */
export function NewExperiment() {
  const feeds = useResource((signal) => api().listFeeds({ limit: FEEDS_MAX }, { signal }), []);
  return (
    <>
      <div class="head">
        <h1>New experiment</h1>
      </div>
      <Loaded resource={feeds}>
        {({ data }) => {
          const active = data.filter(({ status }) => status === 'active');
          return active.length === 0 ? (
            <Empty title="There is no active feed">
              <p>An experiment compares saved feeds. Make one for your viewers, and one to try.</p>
              <ButtonLink kind="primary" icon="plus" href={linkTo(['feeds', 'new'])}>
                New feed
              </ButtonLink>
            </Empty>
          ) : (
            <ExperimentForm feeds={active} />
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
  const { draft, faultAt, changeVariant, addVariant, removeVariant, create, is_busy, error } = form;
  return (
    <Form class="new-experiment" onSubmit={create}>
      <div class="parts">
        <NameAndFeed feeds={feeds} form={form} />
        {draft.feed_id !== NO_FEED && (
          <VariantRows
            {...{ feeds, draft, faultAt }}
            onChange={changeVariant}
            onAdd={addVariant}
            onRemove={removeVariant}
          />
        )}
        <Counted form={form} />
        <ErrorText text={error} />
        <div class="row">
          <Button kind="primary" type="submit" disabled={is_busy}>
            Start the experiment
          </Button>
          <ButtonLink href={linkTo(['experiments'])}>Cancel</ButtonLink>
        </div>
      </div>
      <Plan metric={draft.metric} percents={draft.variants.map(({ percent = 0 }) => percent)} />
    </Form>
  );
}

type DraftForm = ReturnType<typeof useDraft>;

function NameAndFeed({ feeds, form }: { feeds: readonly SavedFeed[]; form: DraftForm }) {
  const { draft, change, chooseFeed, faultAt } = form;
  return (
    <>
      <Field label="Name" error={faultAt('/name')}>
        <TextInput
          value={draft.name}
          placeholder="What you try, such as: newer posts first"
          onChange={(name) => change({ name })}
          is_first
        />
      </Field>
      <Field
        label="Feed"
        help="The feed that your program asks for. It goes on asking for it, and each viewer gets one variant."
        error={draft.feed_id === NO_FEED && faultAt('/feed_id') ? 'Choose a feed.' : faultAt('/feed_id')}
      >
        <Select
          value={draft.feed_id}
          onChange={chooseFeed}
          options={[
            ...(draft.feed_id === NO_FEED ? [{ value: NO_FEED, text: 'Choose a feed' }] : []),
            ...feeds.map(({ config_id, name }) => ({ value: config_id, text: `${name} (${config_id})` })),
          ]}
        />
      </Field>
    </>
  );
}

/** What is counted, and how long after a post was shown. */
function Counted({ form: { draft, change, faultAt } }: { form: DraftForm }) {
  return (
    <>
      <Field
        label="Metric that decides"
        help={`${metricText(draft.metric).help} Choose it now: the others do not decide later.`}
        error={faultAt('/metric')}
      >
        <Select
          value={draft.metric}
          onChange={(metric) => change({ metric })}
          options={METRIC_NAMES.map((value) => ({ value, text: metricText(value).title }))}
        />
      </Field>
      <Field
        label="Hours in which an interaction counts"
        help="After the feed showed the post to the viewer. 1 to 168."
        error={faultAt('/attribution_hours')}
      >
        <NumberInput
          {...{ min: 1, max: 168, step: 1 }}
          value={draft.attribution_hours}
          onChange={(attribution_hours) => change({ attribution_hours })}
        />
      </Field>
    </>
  );
}
