import { describe, expect } from 'bun:test';
import { counted, interaction, itemVersion, named, retired } from './changes.ts';
import { testPlace as it, serve, stored } from './engines.ts';

const NEVER = new AbortController().signal;

describe('a purge of retired items', () => {
  it('removes every row and keeps the keys from being reused', async (place) => {
    const { store } = await serve(place);
    const [ann, old, young] = [named('user', 0, 'ann'), named('item', 0, 'old'), named('item', 1, 'young')];
    expect(await store.hasRetired()).toBe(false);
    await store.submit([young, ann, { ...old, key: 7 } as typeof old]);
    await store.submit([itemVersion(7, 0, 'old'), itemVersion(1, 0, 'young'), counted(7), interaction(0, 7)]);
    await store.submit([interaction(0, 1), retired(7)]);
    // This was under way to the store when its item was retired.
    await store.submit([interaction(0, 7)]);
    expect(await store.hasRetired()).toBe(true);
    await store.purgeRetired(NEVER);
    const left = await stored(store);
    expect(left.map(({ kind }) => kind)).toEqual(['name', 'name', 'item', 'interaction']);
    expect(await store.hasRetired()).toBe(false);
    await store.close();
    const again = await serve(place);
    expect((await again.store.replay(() => {})).keys_from).toEqual({ user: 0, item: 8 });
    await again.store.close();
  });

  it('leaves deletions of acts to the purge that frees the bytes of the acts', async (place) => {
    const { store } = await serve(place);
    const act = interaction(0, 0);
    const { event_type } = act;
    await store.submit([named('user', 0, 'wallet'), named('item', 0, 'old'), itemVersion(0, -1, 'old'), act]);
    await store.submit([
      { kind: 'act_deletion', user: 0, item: 0, event_type, seq: 0, applied_at: act.applied_at },
      retired(0),
    ]);
    await store.purgeRetired(NEVER);
    expect((await stored(store)).map(({ kind }) => kind)).toEqual(['name', 'act_deletion']);
    await store.purge();
    expect((await stored(store)).map(({ kind }) => kind)).toEqual(['name']);
    await store.close();
  });

  it('that is stopped leaves the rest to the next purge', async (place) => {
    const { store } = await serve(place);
    await store.submit([named('item', 0, 'old'), itemVersion(0, -1, 'old'), retired(0)]);
    await store.purgeRetired(AbortSignal.abort());
    expect(await stored(store)).toHaveLength(3);
    await store.purgeRetired(NEVER);
    expect(await stored(store)).toEqual([]);
    await store.close();
  });
});
