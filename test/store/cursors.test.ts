import { describe, expect, test } from 'bun:test';
import { follow } from './changes.ts';
import { ENGINES, serve, withPlace } from './engines.ts';

for (const engine of ENGINES) {
  describe(`the cursor of a connector on ${engine.name}`, () => {
    test('is stored with the changes of its submission, and alone', () =>
      withPlace(engine, async (place) => {
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
      }));

    test('is not stored if its transaction fails', () =>
      withPlace(engine, async (place) => {
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
      }));
  });
}
