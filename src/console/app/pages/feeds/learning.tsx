import { useMemo, useState } from 'preact/hooks';
import type { AnswerOf, BodyOf } from '../../../../../openapi/client/src/index.ts';
import { useSummaries } from '../../preview/words.ts';
import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import { type SavedFeed, typeOf } from '../../ui/feeds.tsx';
import { Confirm, WorkButton } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IntervalChart } from '../../ui/interval-chart.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Loaded, useSteps } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { shortNumber, whole } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';
import { tell } from '../../ui/toast.tsx';
import { isObject } from './feed.ts';

type Learning = AnswerOf<'GET', '/api/learning'>['data'];
type Weight = Learning['weights'][number];
type Action = BodyOf<'PATCH', '/api/learning'>['action'];

const LEARNED = 'learned_v0.0.1';

/** Whether feeds of this type can learn. */
export function canLearn({ endpoint }: SavedFeed): boolean {
  return typeOf(endpoint) !== 'popular';
}

function isLearned({ config: { scoring } }: SavedFeed): boolean {
  return scoring === LEARNED || (isObject(scoring) && scoring.name === LEARNED);
}

/** What a saved feed has learnt from the pages that it showed. */
export function LearningTab({ feed }: { feed: SavedFeed }) {
  const { config_id: feed_id } = feed;
  const learning = useAnswer('/api/learning', { query: { feed_id } });
  return (
    <div class="learning" aria-busy={learning.is_loading}>
      {!isLearned(feed) && <Invitation feed={feed} />}
      <Loaded resource={learning} lines={8}>
        {({ data }) =>
          (isLearned(feed) || feed.config.learn === true || data.pages > 0) && (
            <>
              <State learning={data} onChange={learning.reload} />
              <Comparison learning={data} />
              {data.weights.length === 0 ? (
                <p class="help">
                  No page has taught this feed yet. Until then, it has the order that all feeds of its type
                  have learnt, or the default.
                </p>
              ) : (
                <>
                  <Weights learning={data} />
                  <History learning={data} />
                </>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

/** For a feed that is not in the learnt order. */
function Invitation({ feed }: { feed: SavedFeed }) {
  return (
    <Section
      kind="card"
      title="Try the learnt order"
      help="This feed is not ordered by what it learns. An experiment shows half of its viewers a copy that is. What is learnt belongs to this feed."
    >
      <div class="row">
        <WorkButton kind="primary" icon="experiments" work={() => compareIn(feed)}>
          Compare in an experiment
        </WorkButton>
        <a href="docs/ranking-learning">What is learnt, and from what</a>
      </div>
    </Section>
  );
}

/** Starts an experiment of the feed against a copy that learns, and opens it. */
async function compareIn({ config_id, name, description, endpoint, config }: SavedFeed): Promise<void> {
  const { data: copy } = await api().createFeed({
    ...{ name: `${name} (learned)`, description, endpoint, visibility: 'private' },
    config: { ...config, scoring: LEARNED },
  });
  const variants = [
    { name: 'control', feed_id: config_id, percent: 50 },
    { name: 'learned', feed_id: copy.config_id, percent: 50 },
  ];
  const body = { name: 'Learned order', feed_id: config_id, variants, metric: 'interactions' } as const;
  try {
    const { data } = await api().call('POST', '/api/experiments', { body });
    goTo(['experiments', data.experiment_id]);
  } catch (error) {
    await api().deleteFeed(copy.config_id);
    throw error;
  }
}

/** What can be done with what was learnt, after a question. */
const QUESTIONS = {
  freeze: {
    title: 'Freeze the weights',
    action: 'Freeze',
    kind: 'primary',
    done: 'The weights are frozen',
    text: 'The feed keeps its order as it has learnt it, and learns no more until you thaw the weights. Its pages still teach what all feeds of its type learn together.',
  },
  thaw: {
    title: 'Thaw the weights',
    action: 'Thaw',
    kind: 'primary',
    done: 'The feed learns again',
    text: 'The feed goes on learning from the pages that it shows from now on.',
  },
  reset: {
    title: 'Reset the weights',
    action: 'Reset',
    kind: 'danger',
    done: 'The weights are reset',
    text: 'The feed forgets its own weights and the comparison with the control, and begins again with what all feeds of its type have learnt, its own pages among them. If it had fallen back, it is in the learnt order again. This cannot be undone.',
  },
} as const satisfies Record<Action, object>;

function State({ learning, onChange }: { learning: Learning; onChange: () => void }) {
  const [asked, setAsked] = useState<Action>();
  const { feed_id, status, fell_back_at, pages, acts } = learning;
  const act = async (action: Action): Promise<void> => {
    await api().call('PATCH', '/api/learning', { body: { feed_id, action } });
    setAsked(undefined);
    tell(QUESTIONS[action].done);
    onChange();
  };
  const has_fallen_back = status === 'fell_back';
  return (
    <Section kind="card" title="State">
      <p class={has_fallen_back ? 'state warn' : 'state good'}>
        <Icon name={has_fallen_back ? 'warning' : 'check'} />
        {STATES[status]}
      </p>
      {fell_back_at !== undefined && (
        <p>
          Since <Ago at={fell_back_at} /> all viewers get the default order, because viewers with the learnt
          order did less than those of the control. The figures below are of all time; what decided may be the
          latest pages alone. Find the cause, then reset the weights to begin again.
        </p>
      )}
      <Facts
        facts={[
          ['Pages learnt from', whole(pages)],
          ['Acts on pages that are compared', whole(acts)],
        ]}
      />
      <div class="row">
        {status === 'frozen' ? (
          <Button onClick={() => setAsked('thaw')}>Thaw</Button>
        ) : (
          <Button onClick={() => setAsked('freeze')}>Freeze</Button>
        )}
        <Button kind="danger" onClick={() => setAsked('reset')}>
          Reset
        </Button>
        <Button icon="refresh" label="Refresh" onClick={onChange} />
      </div>
      {asked && (
        <Confirm {...QUESTIONS[asked]} onClose={() => setAsked(undefined)} work={() => act(asked)}>
          {QUESTIONS[asked].text}
        </Confirm>
      )}
    </Section>
  );
}

const STATES: Readonly<Record<Learning['status'], string>> = {
  learning: 'It learns from the pages that it shows',
  frozen: 'Frozen: it learns no more, and keeps its order',
  fell_back: 'It fell back to the default order',
};

/** A control and the learnt order, by acts on a page. */
function Comparison({ learning: { control, learned } }: { learning: Learning }) {
  const rows = [
    { name: 'Control', ...control },
    { name: 'Learnt order', ...learned },
  ].map(({ acts_per_page: value, ci_low: low, ci_high: high, ...row }) => ({ ...row, value, low, high }));
  const textOf = (value: number | null): string => (value === null ? '–' : shortNumber(value));
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'Order', kind: 'name', cell: ({ name }) => name },
    { title: 'Pages', kind: 'number', cell: ({ pages }) => whole(pages) },
    { title: 'Acts a page', kind: 'number', cell: ({ value }) => textOf(value) },
    {
      title: '95% interval',
      kind: 'number',
      is_extra: true,
      cell: ({ low, high }) => (low === null ? '–' : `${textOf(low)} to ${textOf(high)}`),
    },
  ];
  return (
    <Section
      kind="card"
      title="Against the control"
      help="Five of 100 viewers get the default order, always the same ones. If the learnt order gets fewer acts, the feed falls back by itself."
    >
      <IntervalChart title="Acts a page" rows={rows} textOf={shortNumber} />
      <Table columns={columns} rows={rows} keyOf={({ name }) => name} />
    </Section>
  );
}

function Weights({ learning: { weights } }: { learning: Learning }) {
  const summaries = useSummaries();
  const number = (title: string, key: 'used' | 'learnt' | 'prior', is_extra = false): Column<Weight> => ({
    ...{ title, kind: 'number', is_extra, cell: (weight) => shortNumber(weight[key]) },
  });
  return (
    <Section
      kind="card"
      title="Weights now"
      help="Above 0, the signal raises posts; below 0, it lowers them. A weight starts as all feeds of the type have learnt it. With few pages, the weight in use stays near that."
    >
      <Table
        columns={[
          {
            title: 'Signal',
            kind: 'name',
            cell: ({ signal }) => (
              <>
                <code>{signal}</code> <small class="help">{summaries(signal, 'signals')}</small>
              </>
            ),
          },
          number('In use', 'used'),
          number('Learnt', 'learnt', true),
          number('All feeds', 'prior', true),
        ]}
        rows={farthestFirst(weights)}
        keyOf={({ signal }) => signal}
      />
    </Section>
  );
}

/** Weights that moved most from their start come first. */
function farthestFirst(weights: readonly Weight[]): Weight[] {
  const movedBy = ({ used, prior }: Weight): number => Math.abs(used - prior);
  return weights.toSorted((one, other) => movedBy(other) - movedBy(one));
}

/** A drawing tells this many lines apart. */
const LINES_MAX = 4;

/** Weights over time: those first that are farthest from their start. */
function History({ learning: { weights, history } }: { learning: Learning }) {
  const drawings = useMemo(() => {
    const series = farthestFirst(weights).map(({ signal }) => ({
      ...{ name: signal, values: history.map((then) => then.weights[signal] ?? null) },
    }));
    const count = history.length === 0 ? 0 : Math.ceil(series.length / LINES_MAX);
    return Array.from({ length: count }, (_, at) => series.slice(at * LINES_MAX, (at + 1) * LINES_MAX));
  }, [weights, history]);
  const times = useMemo(() => history.map(({ at }) => at), [history]);
  const { shown, more } = useSteps(drawings, 1);
  const help =
    times.length === 0
      ? 'The first weights are stored within an hour.'
      : 'Stored once an hour while the feed learns, for 90 days.';
  return (
    <Section kind="card" title="Weights over time" help={help}>
      {shown.map((series, at) => (
        <Chart
          key={series[0].name}
          title={
            at === 0
              ? 'Farthest from their start'
              : `Signals ${at * LINES_MAX + 1} to ${at * LINES_MAX + series.length}`
          }
          {...{ times, series }}
        />
      ))}
      {more}
    </Section>
  );
}
