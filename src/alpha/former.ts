import type { Base } from '../ingest/prepare.ts';
import type { Latest, Versions } from '../ingest/versions.ts';
import type { ItemContent } from '../state/change.ts';

/** The version of an item that the next version extends. Undefined if there is none. */
export type Former = Latest<Base<ItemContent>>;

/**
 * Reads the versions that new versions of items extend, then runs `work` in the same turn of the event loop.
 *
 * Keys may only be assigned, and facts only be added to the pending ones, in that turn: a read or a commit may fail
 * meanwhile, which revokes them.
 * @param needed the items to read; called again after each read, since a pending version may have failed
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
    // A version that is no longer pending may have failed just now, so it is read again.
    read = new Set(ids.filter((id) => versions.get(id) === before.get(id)));
  }
}
