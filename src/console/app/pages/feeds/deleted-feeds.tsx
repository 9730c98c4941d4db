import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import type { Resource } from '../../ui/resource.ts';
import { Ago } from '../../ui/time.tsx';
import { tell } from '../../ui/toast.tsx';
import { attempt } from './actions.ts';
import { typeText } from './feed.ts';

type Deleted = Awaited<ReturnType<ReturnType<typeof api>['deletedFeeds']>>;

/** Feeds that were deleted and can be brought back. @param onRestore called when one is back */
export function DeletedFeeds({ deleted, onRestore }: { deleted: Resource<Deleted>; onRestore: () => void }) {
  const feeds = deleted.data?.data ?? [];
  if (feeds.length === 0) return null;
  const restore = (config_id: string, name: string): void =>
    attempt(async () => {
      await api().restoreFeed(config_id);
      onRestore();
      tell(`${name} is back`);
    });
  return (
    <details class="deleted-feeds">
      <summary>Deleted feeds ({feeds.length})</summary>
      <p class="help">A deleted feed is kept for 30 days.</p>
      <ul>
        {feeds.map(({ config_id, name, endpoint, deleted_at }) => (
          <li key={config_id}>
            <span>
              {name}{' '}
              <small>
                {config_id} · {typeText(endpoint)} · deleted <Ago at={deleted_at} />
              </small>
            </span>
            <Button icon="back" label={`Bring back ${name}`} onClick={() => restore(config_id, name)}>
              Bring back
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
