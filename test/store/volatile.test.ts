import { describe, expect, test } from 'bun:test';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import type { Change } from '../../src/model/change.ts';
import { closeService, openService } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { VolatileStore } from '../../src/store/volatile.ts';
import { editAt } from '../support/edit.ts';
import { START } from '../support/service.ts';

function name(key: number, applied_at: number): Change {
  return { kind: 'name', space: 'user', key, id: `u${key}`, seq: 0, applied_at };
}

describe('a store in memory', () => {
  test('applies changes when they are submitted, numbered, with times that never go back', async () => {
    const store = new VolatileStore();
    const committed: Change[] = [];
    const onCommitted = (changes: readonly Change[]) => committed.push(...changes);
    await store.startWriter({ onCommitted, onFailed: () => {}, last_applied_at: 0 });
    await store.submit([name(0, 50), name(1, 40)]);
    await store.submit([name(2, 60)]);
    expect(committed.map(({ seq, applied_at }) => [seq, applied_at])).toEqual([
      [1, 50],
      [2, 50],
      [3, 60],
    ]);
  });

  test('serves a whole service, including contents of items and users', async () => {
    const settings = { ...readSettings({}), data: '/nowhere' };
    const options = { command: 'test', clock: new ManualClock(START), monotonicMs };
    const service = await openService(settings, { ...options, store: new VolatileStore() });
    const { ingest, feeds } = service;
    await ingest.ingest('users', [{ user_id: 'w', username: 'Wanda' }]);
    await ingest.ingest('items', [{ item_id: 'a', author_id: 'w', created_at: START - 60, text: 'hello' }]);
    await ingest.ingest('items', [{ item_id: 'a', channel: 'c' }]);
    const asked = { user_id: 'u', return_metadata: true, impression_count: 1 };
    const { items } = await feeds.serve('for-you', asked);
    expect(items.map(({ item_id }) => item_id)).toEqual(['a']);
    expect(items[0].metadata).toMatchObject({ text: 'hello', author: { username: 'Wanda' } });
    expect((await feeds.serve('for-you', asked)).items).toEqual([]);
    await closeService(service);
  });

  test('refuses to save feeds and to create keys', async () => {
    const { feeds, keys } = new VolatileStore();
    await expect(feeds.create('a', '{}', editAt(0))).rejects.toThrow('keeps neither keys nor saved feeds');
    await expect(keys.create('a', ['feed:read'], editAt(0))).rejects.toThrow(
      'keeps neither keys nor saved feeds',
    );
    expect([await feeds.all(), await keys.all()]).toEqual([[], []]);
  });
});
