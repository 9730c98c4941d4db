import type { DeletedFeed } from '../../../../openapi/client/src/index.ts';
import { folded } from '../../../plugin/folded.ts';
import { linkTo, place, replaceQuery } from '../router.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { type SavedFeed, Status, typeText, useFeeds } from '../ui/feeds.tsx';
import { TextField } from '../ui/inputs.tsx';
import { Head } from '../ui/layout.tsx';
import { useAnswer } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';
import { EditFeed } from './feeds/edit-feed.tsx';
import { FeedMenu, restoreFeed } from './feeds/feed-menu.tsx';
import { NewFeed } from './feeds/new-feed.tsx';

export function FeedsPage({ rest: [config_id] }: { rest: readonly string[] }) {
  if (config_id === undefined) return <FeedList />;
  if (config_id === 'new') return <NewFeed />;
  return <EditFeed key={config_id} config_id={config_id} />;
}

/** The newest feeds of the account, at most `LIMITS.feeds_listed_max`. Others are opened by their address. */
function FeedList() {
  const feeds = useFeeds();
  const deleted = useAnswer('/api/feed/config/deleted', {});
  const reload = (): void => {
    feeds.reload();
    deleted.reload();
  };
  const search = place.value.query.get('search') ?? '';
  const new_feed = (
    <ButtonLink kind="primary" icon="plus" href={linkTo(['feeds', 'new'])}>
      New feed
    </ButtonLink>
  );
  return (
    <>
      <Head title="Feeds">{new_feed}</Head>
      <Loaded resource={feeds}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="There are no feeds yet">
              <p>
                Has this service no data either? <a href={linkTo(['start'])}>Get started</a> shows the ways.
              </p>
              <p>A feed decides which posts a page shows, and in which order. Begin with a template.</p>
              {new_feed}
            </Empty>
          ) : (
            <>
              <TextField
                label="Search feeds"
                hidden_label
                type="search"
                placeholder="Search by name, id, type or status"
                value={search}
                onChange={(text) => replaceQuery({ search: text })}
              />
              <FeedTable feeds={all.filter((feed) => matches(feed, search))} onChange={reload} />
            </>
          )
        }
      </Loaded>
      <DeletedFeeds feeds={deleted.data?.data ?? []} onRestore={reload} />
    </>
  );
}

/** Whether all words are somewhere in the row of a feed. */
function matches(feed: SavedFeed, search: string): boolean {
  const { name, config_id, status, visibility, endpoint, description } = feed;
  const row = folded([name, config_id, status, visibility, typeText(endpoint), description].join(' '));
  return folded(search)
    .split(/\s+/)
    .every((word) => row.includes(word));
}

const COLUMNS: readonly Column<SavedFeed>[] = [
  {
    title: 'Name',
    cell: ({ config_id, name }) => (
      <>
        <a href={linkTo(['feeds', config_id])}>{name}</a> <small>{config_id}</small>
      </>
    ),
  },
  { title: 'Type', is_extra: true, cell: ({ endpoint }) => typeText(endpoint) },
  { title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { title: 'Visibility', is_extra: true, cell: ({ visibility }) => visibility },
  { title: 'Changed', is_extra: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

function FeedTable({ feeds, onChange }: { feeds: readonly SavedFeed[]; onChange: () => void }) {
  if (feeds.length === 0) return <Empty title="No feed matches" />;
  const actions: Column<SavedFeed> = {
    title: <span class="for-readers">Actions</span>,
    cell: (feed) => <FeedMenu feed={feed} onStatus={onChange} onDelete={onChange} />,
  };
  return (
    <Table kind="feeds" columns={[...COLUMNS, actions]} rows={feeds} keyOf={({ config_id }) => config_id} />
  );
}

/** Feeds that were deleted and can be brought back. @param onRestore called when one is back */
function DeletedFeeds({ feeds, onRestore }: { feeds: readonly DeletedFeed[]; onRestore: () => void }) {
  if (feeds.length === 0) return null;
  return (
    <details class="deleted-feeds">
      <summary>Deleted feeds ({feeds.length})</summary>
      <p class="help">A deleted feed is kept for 30 days.</p>
      <ul>
        {feeds.map((feed) => (
          <li key={feed.config_id}>
            <span>
              {feed.name}{' '}
              <small>
                {feed.config_id} · {typeText(feed.endpoint)} · deleted <Ago at={feed.deleted_at} />
              </small>
            </span>
            <Button
              icon="back"
              label={`Bring back ${feed.name}`}
              onClick={() => restoreFeed(feed, onRestore)}
            >
              Bring back
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
