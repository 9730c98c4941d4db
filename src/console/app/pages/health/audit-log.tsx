import { useState } from 'preact/hooks';
import type * as Api from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

const STEP = 20;
const LISTED_MAX = 1_000;

const ACTIONS: Readonly<Record<Api.AuditEntry['action'], string>> = {
  'feed.create': 'created the feed',
  'feed.change': 'changed the feed',
  'feed.delete': 'deleted the feed',
  'feed.import': 'imported the feed',
  'feed.restore': 'restored the feed',
  'experiment.create': 'created the experiment',
  'experiment.change': 'changed the experiment',
  'experiment.stop': 'stopped the experiment',
  'experiment.delete': 'deleted the experiment',
  'experiment.import': 'imported the experiment',
  'key.create': 'created the key',
  'key.revoke': 'revoked the key',
};

/** Who changed feeds, experiments and keys of the account, newest first. */
export function AuditLog({ tick }: { tick: number }) {
  const [limit, setLimit] = useState(STEP);
  const entries = useResource((signal) => api().audit({ limit }, { signal }), [tick, limit]);
  return (
    <section aria-labelledby="audit">
      <h2 id="audit">Changes of feeds, experiments and keys</h2>
      <Loaded resource={entries}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing has been changed yet" />
          ) : (
            <>
              <ol class="audit">
                {data.map(({ audit_id, at, actor, action, object, revision, count }) => (
                  <li key={audit_id}>
                    <span>
                      <code>{actor}</code> {ACTIONS[action]} <Changed action={action} object={object} />
                      {revision !== undefined && <small> revision {revision}</small>}
                      {count > 1 && <small> {count} times</small>}
                    </span>
                    <small>
                      <Ago at={at} />
                    </small>
                  </li>
                ))}
              </ol>
              {data.length === limit && limit < LISTED_MAX && (
                <Button onClick={() => setLimit(limit + STEP)}>Show more</Button>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** What was changed, with a link to its page. */
function Changed({ action, object }: Pick<Api.AuditEntry, 'action' | 'object'>) {
  if (action.startsWith('feed.')) return <a href={linkTo(['feeds', object])}>{object}</a>;
  if (action.startsWith('experiment.')) return <a href={linkTo(['experiments', object])}>{object}</a>;
  return <code>{object}</code>;
}
