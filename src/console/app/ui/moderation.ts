import { api } from '../session.ts';
import { tell, tellFailure } from './toast.tsx';

/** What moderators do to items and users. */

export type Hideable = 'item' | 'user';

/** Who hid a record: a moderator, the network, or both. Undefined: it is not hidden itself. */
export function hiddenBy(record: {
  hidden?: boolean | null;
  hidden_by_network?: boolean | null;
}): string | undefined {
  if (record.hidden_by_network !== true) return record.hidden === true ? 'Hidden' : undefined;
  return record.hidden === true ? 'Hidden, also by its network' : 'Hidden by its network';
}

/** Something that a moderator does to a record and can take back. */
interface Measure {
  /** Names the record. Changes of one record are made one after another, so that the last one counts. */
  record: string;
  /** Does it, or takes it back. */
  send: (on: boolean) => Promise<unknown>;
  done: string;
  taken_back: string;
}

/** Changes that are on their way, by record. */
const running = new Map<string, Promise<void>>();

/** Makes a change when those of the same record that came before have ended. @throws what `work` throws */
export async function inOrder(record: string, work: () => Promise<void>): Promise<void> {
  const before = running.get(record) ?? Promise.resolve();
  const done = before.catch(() => undefined).then(work);
  running.set(record, done);
  await done.finally(() => {
    if (running.get(record) === done) running.delete(record);
  });
}

/**
 * Does something or takes it back, and offers to undo that.
 * @param onDone called after the change and after its undo, with what is true then. A page that notes a change before
 *   it is done is told so if it failed
 */
async function take(measure: Measure, on: boolean, onDone: (on: boolean) => void): Promise<void> {
  const { record, send, done, taken_back } = measure;
  const change = async (next: boolean): Promise<void> => {
    try {
      await send(next);
      onDone(next);
    } catch (error) {
      tellFailure(error);
      onDone(!next);
      return;
    }
    const text = next ? done : taken_back;
    if (next === on) tell(text, () => void inOrder(record, () => change(!on)));
    else tell(text);
  };
  await inOrder(record, () => change(on));
}

/** Hides an item or a user from all feeds, or shows it again. @param onDone see `take` */
export function setHidden(
  kind: Hideable,
  id: string,
  hidden: boolean,
  onDone: (hidden: boolean) => void,
): Promise<void> {
  const what = kind === 'item' ? 'The post' : 'The user';
  const measure: Measure = {
    record: `${kind} ${id}`,
    send: (next) =>
      kind === 'item'
        ? api().ingest('items', [{ item_id: id, hidden: next }])
        : api().ingest('users', [{ user_id: id, hidden: next }]),
    done: `${what} is hidden from all feeds.`,
    taken_back: `${what} is shown again.`,
  };
  return take(measure, hidden, onDone);
}

/** Numbers of hides and reports of an item that are dismissed while it is, and while it is not. */
export interface DismissedCounts {
  dismissed: number;
  open: number;
}

/** Dismisses the hides and reports of an item, or takes that back. @param onDone see `take` */
export function setDismissed(
  item_id: string,
  counts: DismissedCounts,
  dismissed: boolean,
  onDone: (dismissed: boolean) => void,
): Promise<void> {
  const measure: Measure = {
    record: `item ${item_id}`,
    send: (next) =>
      api().ingest('items', [{ item_id, dismissed_reports_count: next ? counts.dismissed : counts.open }]),
    done: 'The reports of the post are dismissed.',
    taken_back: 'The post is in the list of reports again.',
  };
  return take(measure, dismissed, onDone);
}
