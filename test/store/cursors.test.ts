import { describe, expect } from 'bun:test';
import { follow } from './changes.ts';
import { testPlace as it, serve } from './engines.ts';

describe('the cursor of a connector', () => {
  it('is stored with the changes of its submission, and alone', async (place) => {
    const first = await serve(place);
    expect(await first.store.connectorCursor('a')).toBeUndefined();
    await Promise.all([
      first.store.submit([follow(1, 2)], 1, { connector: 'a', cursor: '1' }),
      first.store.submit([follow(1, 3)], 1, { connector: 'b', cursor: 'one' }),
      first.store.submit([follow(1, 4)], 1, { connector: 'a', cursor: '2' }),
    ]);
    await first.store.submit([], 0, { connector: 'b', cursor: 'two' });
    await first.store.close();
    const next = await serve(place);
    expect(await next.store.connectorCursor('a')).toBe('2');
    expect(await next.store.connectorCursor('b')).toBe('two');
    await next.store.close();
  });

  it('is not stored if its transaction fails', async (place) => {
    const { store } = await serve(place);
    await store.submit([follow(1, 2)], 1, { connector: 'a', cursor: '1' });
    await place.run('alter table follows rename to follows_away');
    const failed = await store.submit([follow(1, 3)], 1, { connector: 'a', cursor: '2' }).then(
      () => 'stored',
      () => 'failed',
    );
    expect(failed).toBe('failed');
    await place.run('alter table follows_away rename to follows');
    expect(await store.connectorCursor('a')).toBe('1');
    await store.close();
  });
});
