import { api } from '../session.ts';
import { tell, tellFailure } from './toast.tsx';

/** What moderators do to items and users. */

export type Hideable = 'item' | 'user';

/** Changes that are on their way, by kind and identifier. One after another, so that the last one counts. */
const running = new Map<string, Promise<void>>();

async function inOrder(key: string, work: () => Promise<void>): Promise<void> {
  const done = (running.get(key) ?? Promise.resolve()).then(work);
  running.set(key, done);
  await done;
  if (running.get(key) === done) running.delete(key);
}

/**
 * Hides an item or a user from all feeds, or shows it again, and offers to undo that.
 * @param onDone called after the change and after its undo, with what is true then. A page that notes a change before
 *   it is done is told so if it failed
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
    const what = kind === 'item' ? 'The post' : 'The user';
    const done = next ? `${what} is hidden from all feeds.` : `${what} is shown again.`;
    if (next === hidden) tell(done, () => void inOrder(`${kind} ${id}`, () => change(!hidden)));
    else tell(done);
  };
  await inOrder(`${kind} ${id}`, () => change(hidden));
}
