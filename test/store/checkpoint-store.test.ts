import { describe, expect } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import { openStore } from '../../src/store/open-store.ts';
import { erased } from './changes.ts';
import { testPlace as it, optionsFor, serve, testServing } from './engines.ts';

const stamp = { seq: 0, applied_at: 1 };
const named = (key: number): Change => ({ kind: 'name', space: 'user', key, id: `user-${key}`, ...stamp });

describe('the checkpoint store', () => {
  it('returns the last entry, also after a restart, until it is removed', async (place) => {
    const { store } = await serve(place);
    const id = await store.checkpoints!.databaseId();
    expect(await store.checkpoints!.entry()).toBeUndefined();
    await store.checkpoints!.enter({ name: 'one', seq: 1, digest: '' });
    await store.checkpoints!.enter({ name: 'two', seq: 2, digest: '' });
    await store.close();
    // Without a writer, as during a start.
    const again = await openStore(optionsFor(place));
    const { checkpoints } = again;
    expect(await checkpoints!.databaseId()).toBe(id);
    expect(await checkpoints!.entry()).toEqual({ name: 'two', seq: 2, digest: '' });
    await checkpoints!.enter(undefined);
    expect(await checkpoints!.entry()).toBeUndefined();
    await again.close();
  });

  testServing(
    'a purge removes a checkpoint without the erasure, and keeps one that contains it',
    async ({ store }) => {
      const checkpoint_store = store.checkpoints!;
      await store.submit([named(0), named(1)]);
      expect(await checkpoint_store.unpurged()).toBe(0);
      await checkpoint_store.enter({ name: 'before', seq: 2, digest: '' });
      await store.purge();
      expect(await checkpoint_store.entry()).toEqual({ name: 'before', seq: 2, digest: '' });
      await store.submit([erased(0)]);
      expect(await checkpoint_store.unpurged()).toBe(3);
      await store.purge();
      expect([await checkpoint_store.entry(), await checkpoint_store.unpurged()]).toEqual([undefined, 0]);
      await store.submit([erased(1)]);
      await checkpoint_store.enter({ name: 'after', seq: 4, digest: '' });
      await store.purge();
      expect([await checkpoint_store.entry(), await checkpoint_store.unpurged()]).toEqual([
        { name: 'after', seq: 4, digest: '' },
        0,
      ]);
      // Of a viewer without a user record, nothing is in the state.
      await store.submit([erased(NONE)]);
      expect(await checkpoint_store.unpurged()).toBe(5);
      await store.purge();
      expect([await checkpoint_store.entry(), await checkpoint_store.unpurged()]).toEqual([
        { name: 'after', seq: 4, digest: '' },
        0,
      ]);
    },
  );
});
