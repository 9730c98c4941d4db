import { linkTo, place, replaceQuery } from '../../router.ts';
import { api } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { type Resource, useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { tell } from '../../ui/toast.tsx';
import { attempt } from './actions.ts';
import { type SavedFeed, typeText } from './feed.ts';
import { FeedMenu } from './feed-menu.tsx';

type Deleted = Awaited<ReturnType<ReturnType<typeof api>['deletedFeeds']>>;

/** Feeds that were deleted and can be brought back. @param onRestore called when one is back */
function DeletedFeeds({ deleted, onRestore }: { deleted: Resource<Deleted>; onRestore: () => void }) {
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

/** Feeds that a list shows. More are found by their names in Ctrl K. */
const LISTED_MAX = 1_000;

export function FeedList() {
  const feeds = useResource((signal) => api().listFeeds({ limit: LISTED_MAX }, { signal }), []);
  const deleted = useResource((signal) => api().deletedFeeds({ signal }), []);
  const reload = (): void => {
    feeds.reload();
    deleted.reload();
  };
  const search = place.value.query.get('search') ?? '';
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
            <Empty title="There are no feeds yet">
              <p>
                Has this service no data either? <a href={linkTo(['start'])}>Get started</a> shows the ways.
              </p>
              <p>A feed decides which posts a page shows, and in which order. Begin with a template.</p>
              <ButtonLink kind="primary" icon="plus" href={linkTo(['feeds', 'new'])}>
                New feed
              </ButtonLink>
            </Empty>
          ) : (
            <>
              <Field label="Search feeds" hidden_label>
                <TextInput
                  type="search"
                  placeholder="Search by name, id, type or status"
                  value={search}
                  onChange={(text) => replaceQuery({ search: text || undefined })}
                />
              </Field>
              <FeedTable feeds={data.filter((feed) => matches(feed, search))} onChange={reload} />
            </>
          )
        }
      </Loaded>
      <DeletedFeeds deleted={deleted} onRestore={reload} />
    </>
  );
}

/** Whether all words are somewhere in the row of a feed. */
function matches(feed: SavedFeed, search: string): boolean {
  const { name, config_id, status, visibility, endpoint, description } = feed;
  const row = [name, config_id, status, visibility, typeText(endpoint), description].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => row.includes(word));
}

function FeedTable({ feeds, onChange }: { feeds: readonly SavedFeed[]; onChange: () => void }) {
  if (feeds.length === 0) return <Empty title="No feed matches" />;
  return (
    <table class="list feeds">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Status</th>
          <th scope="col">Visibility</th>
          <th scope="col">Changed</th>
          <th scope="col">
            <span class="for-readers">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {feeds.map((feed) => (
          <tr key={feed.config_id}>
            <td>
              <a href={linkTo(['feeds', feed.config_id])}>{feed.name}</a> <small>{feed.config_id}</small>
            </td>
            <td>{typeText(feed.endpoint)}</td>
            <td>
              <Status status={feed.status} />
            </td>
            <td>{feed.visibility}</td>
            <td>
              <Ago at={feed.updated_at} />
            </td>
            <td>
              <FeedMenu feed={feed} onStatus={onChange} onDelete={onChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Status({ status }: Pick<SavedFeed, 'status'>) {
  return <span class={`status ${status}`}>{status}</span>;
}
