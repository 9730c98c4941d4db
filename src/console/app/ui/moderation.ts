import { api } from '../session.ts';
import { tell, tellFailure } from './toast.tsx';

/** What moderators do to items and users. */

export type Hideable = 'item' | 'user';

/**
 * Hides an item or a user from all feeds, or shows it again, and offers to undo that.
 * @param onDone called after the change and after its undo, with what is true then
 */
export async function setHidden(
  kind: Hideable,
  id: string,
  hidden: boolean,
  onDone: (hidden: boolean) => void,
): Promise<void> {
  const change = async (next: boolean): Promise<void> => {
    try {
      if (kind === 'item') await api().ingest('items', [{ item_id: id, hidden: next }]);
      else await api().ingest('users', [{ user_id: id, hidden: next }]);
      onDone(next);
    } catch (error) {
      tellFailure(error);
      onDone(!next);
      return;
    }
    const what = kind === 'item' ? 'The item' : 'The user';
    const done = next ? `${what} is hidden from all feeds.` : `${what} is shown again.`;
    if (next === hidden) tell(done, () => void change(!hidden));
    else tell(done);
  };
  await change(hidden);
}
