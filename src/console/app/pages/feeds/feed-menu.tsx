import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { deleteFeed, duplicateFeed, otherStatus, setStatus } from './actions.ts';
import type { SavedFeed } from './feed.ts';

export function FeedMenu(props: {
  feed: SavedFeed;
  onStatus: (feed: SavedFeed) => void;
  /** @param is_there false after the deletion, true after it was undone */
  onDelete: (is_there: boolean) => void;
  /** Further actions, which come first. */
  children?: ComponentChildren;
}) {
  const { feed, onStatus, onDelete, children } = props;
  const is_active = feed.status === 'active';
  return (
    <Menu label={`Actions for ${feed.name}`}>
      {children}
      <Button kind="quiet" icon="copy" onClick={() => duplicateFeed(feed)}>
        Duplicate
      </Button>
      <Button
        kind="quiet"
        icon={is_active ? 'out' : 'check'}
        onClick={() => setStatus(feed, otherStatus(feed.status), onStatus)}
      >
        {is_active ? 'Deactivate' : 'Activate'}
      </Button>
      <Button kind="danger" icon="close" onClick={() => deleteFeed(feed, onDelete)}>
        Delete
      </Button>
    </Menu>
  );
}
