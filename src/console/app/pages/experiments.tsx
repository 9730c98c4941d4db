import type { AnswerOf } from '../../../../openapi/client/src/index.ts';
import { linkTo } from '../router.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Status } from '../ui/feeds.tsx';
import { Head } from '../ui/layout.tsx';
import { useAnswer } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';
import { METRICS } from './experiments/experiment.ts';
import { NewExperiment } from './experiments/new-experiment.tsx';
import { WatchExperiment } from './experiments/watch-experiment.tsx';

export function ExperimentsPage({ rest: [experiment_id] }: { rest: readonly string[] }) {
  if (experiment_id === undefined) return <ExperimentList />;
  if (experiment_id === 'new') return <NewExperiment />;
  return <WatchExperiment key={experiment_id} experiment_id={experiment_id} />;
}

type Row = AnswerOf<'GET', '/api/experiments'>['data'][number];

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    cell: ({ experiment_id, name }) => (
      <>
        <a href={linkTo(['experiments', experiment_id])}>{name}</a> <small>{experiment_id}</small>
      </>
    ),
  },
  {
    title: 'Feed',
    is_extra: true,
    cell: ({ feed_id }) => <a href={linkTo(['feeds', feed_id])}>{feed_id}</a>,
  },
  { title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { title: 'Metric', is_extra: true, cell: ({ metric }) => METRICS[metric].title },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];

function ExperimentList() {
  const experiments = useAnswer('/api/experiments', {});
  return (
    <>
      <Head title="Experiments">
        <NewLink />
      </Head>
      <Loaded resource={experiments}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="There are no experiments yet">
              <p>
                An experiment shows some viewers of a feed another feed instead, and compares what both groups
                do. <a href="docs/experiments">How experiments work</a>
              </p>
              <NewLink />
            </Empty>
          ) : (
            <Table
              kind="experiments"
              columns={COLUMNS}
              rows={data}
              keyOf={({ experiment_id }) => experiment_id}
            />
          )
        }
      </Loaded>
    </>
  );
}

function NewLink() {
  return (
    <ButtonLink kind="primary" icon="plus" href={linkTo(['experiments', 'new'])}>
      New experiment
    </ButtonLink>
  );
}
