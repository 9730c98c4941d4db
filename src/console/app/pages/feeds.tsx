import { EditFeed } from './feeds/edit-feed.tsx';
import { FeedList } from './feeds/feed-list.tsx';
import { NewFeed } from './feeds/new-feed.tsx';

export function FeedsPage({ rest: [config_id] }: { rest: readonly string[] }) {
  if (config_id === undefined) return <FeedList />;
  if (config_id === 'new') return <NewFeed />;
  return <EditFeed key={config_id} config_id={config_id} />;
}
