import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { metricText } from './experiment.ts';

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
  { title: 'Metric', is_extra: true, cell: ({ metric }) => metricText(metric).title },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function ExperimentList() {
  const experiments = useResource((signal) => api().call('GET', '/api/experiments', { signal }), []);
  return (
    <>
      <div class="head">
        <h1>Experiments</h1>
        <NewLink />
      </div>
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

export function Status({ status }: { status: string }) {
  return <span class={status === 'running' ? 'status active' : 'status'}>{status}</span>;
}
