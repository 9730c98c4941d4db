import type { Base } from '../ingest/prepare.ts';
import type { Latest, Versions } from '../ingest/versions.ts';
import type { ItemContent } from '../state/change.ts';

/** The version of an item that its next one builds on; undefined when there is none. */
export type Former = Latest<Base<ItemContent>>;

/**
 * Reads what the next versions of items build on, and does `work` in the very turn in which nothing is left to be
 * read. Only there may keys be given and facts be put under way: a read may fail, and so may a commit meanwhile,
 * which takes all of that back.
 * @param needed the items to be read; asked again after each read, as something under way may not have come
 */
export async function withFormer<T>(
  versions: Versions<Base<ItemContent>>,
  needed: () => readonly string[],
  work: (former: Former) => T,
): Promise<T> {
  let former: Former = () => undefined;
  let read: ReadonlySet<string> = new Set();
  for (;;) {
    const ids = needed();
    if (ids.every((id) => read.has(id))) return work(former);
    const before = new Map(ids.map((id) => [id, versions.get(id)]));
    former = await versions.withLatest(ids, (latest) => latest);
    // What was under way and is no longer may have failed in this very moment: it is read again.
    read = new Set(ids.filter((id) => versions.get(id) === before.get(id)));
  }
}
