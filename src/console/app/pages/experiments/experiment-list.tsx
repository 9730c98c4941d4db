import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { metricText } from './experiment.ts';

/** The list of experiments. */
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
            <table class="list experiments">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Feed</th>
                  <th scope="col">Status</th>
                  <th scope="col">Metric</th>
                  <th scope="col">Created</th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ experiment_id, name, feed_id, status, metric, created_at }) => (
                  <tr key={experiment_id}>
                    <td>
                      <a href={linkTo(['experiments', experiment_id])}>{name}</a>{' '}
                      <small>{experiment_id}</small>
                    </td>
                    <td>
                      <a href={linkTo(['feeds', feed_id])}>{feed_id}</a>
                    </td>
                    <td>
                      <Status status={status} />
                    </td>
                    <td>{metricText(metric).title}</td>
                    <td>
                      <Ago at={created_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
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
