import { goTo } from '../../router.ts';
import { api } from '../../session.ts';
import { tell, tellFailure } from '../../ui/toast.tsx';
import { type FeedFields, fieldsOf, type SavedFeed } from './feed.ts';

/** What can be done with a feed. All tell how it went, and can be undone. */

/** Does something, and tells if it fails. */
export function attempt(work: () => Promise<void>): void {
  work().catch(tellFailure);
}

/** @param changed called after the deletion, and after it was undone */
export function deleteFeed({ config_id, name }: SavedFeed, changed: (is_there: boolean) => void): void {
  attempt(async () => {
    await api().deleteFeed(config_id);
    changed(false);
    tell(`Deleted ${name}`, () =>
      attempt(async () => {
        await api().restoreFeed(config_id);
        changed(true);
        tell(`${name} is back`);
      }),
    );
  });
}

/** Opens the copy. */
export function duplicateFeed(feed: SavedFeed): void {
  attempt(async () => {
    const copy = { ...fieldsOf(feed), name: `${feed.name} (copy)`, visibility: 'private' } as const;
    const { data } = await api().createFeed(copy);
    tell(`Made ${data.name}`);
    goTo(['feeds', data.config_id]);
  });
}

export function setStatus(
  { config_id, name }: SavedFeed,
  status: FeedFields['status'],
  changed: (feed: SavedFeed) => void,
): void {
  attempt(async () => {
    const set = async (to: FeedFields['status']): Promise<void> => {
      const { data } = await api().changeFeed({ config_id, status: to });
      changed(data);
    };
    await set(status);
    tell(`${name} is ${status}`, () => attempt(() => set(otherStatus(status))));
  });
}

export function otherStatus(status: FeedFields['status']): FeedFields['status'] {
  return status === 'active' ? 'inactive' : 'active';
}
