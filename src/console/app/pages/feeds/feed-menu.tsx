import type { ComponentChildren } from 'preact';
import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import type { SavedFeed } from '../../ui/feeds.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt, tell } from '../../ui/toast.tsx';
import { fieldsOf } from './feed.ts';

/** What can be done with a feed as it was saved. All tell how it went, and can be undone. */
export function FeedMenu(props: {
  feed: SavedFeed;
  onStatus: (feed: SavedFeed) => void;
  /** @param is_there false after the deletion, true after it was undone */
  onDelete: (is_there: boolean) => void;
  /** Further actions, which come first. */
  children?: ComponentChildren;
}) {
  const { feed, onStatus, onDelete, children } = props;
  const { config_id, name, status } = feed;
  const is_active = status === 'active';
  const other = is_active ? 'inactive' : 'active';
  const setStatus = async (to: SavedFeed['status']): Promise<void> =>
    onStatus((await api().changeFeed({ config_id, status: to })).data);
  return (
    <Menu label={`Actions for ${name}`}>
      {children}
      <Button kind="quiet" icon="copy" onClick={() => attempt(() => duplicate(feed))}>
        Duplicate
      </Button>
      <Button
        kind="quiet"
        icon={is_active ? 'out' : 'check'}
        onClick={() =>
          attempt(async () => {
            await setStatus(other);
            tell(`${name} is ${other}`, () => attempt(() => setStatus(status)));
          })
        }
      >
        {is_active ? 'Deactivate' : 'Activate'}
      </Button>
      <Button
        kind="danger"
        icon="close"
        onClick={() =>
          attempt(async () => {
            await api().deleteFeed(config_id);
            onDelete(false);
            tell(`Deleted ${name}`, () => restoreFeed(feed, () => onDelete(true)));
          })
        }
      >
        Delete
      </Button>
    </Menu>
  );
}

/** Brings a deleted feed back. @param onDone called when it is there */
export function restoreFeed(feed: Pick<SavedFeed, 'config_id' | 'name'>, onDone: () => void): void {
  attempt(async () => {
    await api().restoreFeed(feed.config_id);
    onDone();
    tell(`${feed.name} is back`);
  });
}

/** Opens the copy. */
async function duplicate(feed: SavedFeed): Promise<void> {
  const copy = { ...fieldsOf(feed), name: `${feed.name} (copy)`, visibility: 'private' } as const;
  const { data } = await api().createFeed(copy);
  tell(`Made ${data.name}`);
  goTo(['feeds', data.config_id]);
}
