import { viewerHash } from '../seen/seen-store.ts';
import type { StoredChanges } from './stored-changes.ts';

/** What a state needs to know of the stored changes before they are applied to it. */
export async function foldOptions(store: Pick<StoredChanges, 'latestTrend' | 'hashKey' | 'seenKey'>) {
  const key = await store.seenKey();
  return {
    learns_from: await store.latestTrend(),
    hash_key: await store.hashKey(),
    viewerOf: (user_id: string) => viewerHash(key, user_id),
  };
}
