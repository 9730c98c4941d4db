import { linkTo } from '../router.ts';
import { api } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { useResource } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

/** The list of feeds. */
export function FeedsPage(_: { rest: readonly string[] }) {
  const feeds = useResource((signal) => api().call('POST', '/api/feed/configs', { body: {}, signal }), []);
  return (
    <>
      <div class="head">
        <h1>Feeds</h1>
        <ButtonLink kind="primary" icon="plus" href={linkTo(['feeds', 'new'])}>
          New feed
        </ButtonLink>
      </div>
      <Loaded resource={feeds}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="There are no feeds yet" />
          ) : (
            <table class="list">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Type</th>
                  <th>Status</th>
                  <th>Visibility</th>
                  <th>Changed</th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ config_id, name, endpoint, status, visibility, updated_at }) => (
                  <tr key={config_id}>
                    <td>
                      <a href={linkTo(['feeds', config_id])}>{name}</a> <small>{config_id}</small>
                    </td>
                    <td>{endpoint.split('/').at(-1)}</td>
                    <td>{status}</td>
                    <td>{visibility}</td>
                    <td>
                      <Ago at={updated_at} />
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
