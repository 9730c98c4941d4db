import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { openStore } from '../../src/store/store.ts';
import { follow } from './changes.ts';
import { ENGINES, optionsFor, refusal, serve, stored, withPlace } from './engines.ts';

const [, postgres] = ENGINES;
const HOOKS = { onCommitted() {}, onFailed() {}, last_applied_at: 0 };

for (const engine of ENGINES) {
  test(`what is written to ${engine.name} after the fold is not passed over: the writer does not start`, () =>
    withPlace(engine, async (place) => {
      const store = await openStore(optionsFor(place));
      await store.replay(() => {});
      await place.run("update meta set value = '1' where name = 'highest_seq'");
      await place.run("insert into names values (1, 1, 0, 7, 'anna')");
      expect(await refusal(store.startWriter(HOOKS))).toMatchObject({ code: 'store_unavailable' });
      await store.close();
      const next = await serve(place);
      await next.store.submit([follow(1, 2)]);
      expect(await stored(next.store)).toHaveLength(2);
      await next.store.close();
    }));
}

describe('the last commit of a process that was killed', () => {
  test('is waited for and read, if the server is still at it', () =>
    withPlace(postgres, async (place) => {
      const { store } = await serve(place);
      await store.submit([follow(1, 2)]);
      await store.close();
      const server = new SQL({ url: place.database_url, max: 1 });
      const killed = await server.reserve();
      await killed.unsafe('begin');
      await killed.unsafe('select pg_advisory_xact_lock(7136101)');
      await killed.unsafe("update meta set value = '2' where name = 'highest_seq'");
      await killed.unsafe("insert into names values (2, 1, 0, 7, 'anna')");
      const opening = serve(place);
      const someoneWaits = async () => {
        while (
          (await place.run("select 1 from pg_locks where locktype = 'advisory' and not granted")).length === 0
        );
      };
      await Promise.race([opening, someoneWaits()]);
      await killed.unsafe('commit');
      killed.release();
      await server.close();
      const next = await opening;
      await next.store.submit([follow(3, 4)]);
      expect((await stored(next.store)).map(({ seq, kind }) => [seq, kind])).toEqual([
        [1, 'follow'],
        [2, 'name'],
        [3, 'follow'],
      ]);
      await next.store.close();
    }));
});
