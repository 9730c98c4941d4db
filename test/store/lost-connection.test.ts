import { describe, expect, test } from 'bun:test';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { replay } from '../../src/store/replay.ts';
import { follow } from './changes.ts';
import { optionsFor, refusal, serve, stored } from './engines.ts';
import { withWire } from './wire.ts';

describe('a lost connection to PostgreSQL', () => {
  test('after the commit arrived: the writer detects that the changes are stored', () =>
    withWire(async (place, wire) => {
      const { store, messages } = await serve(place);
      wire.cut_at_commit = 'after';
      const changes = [follow(1, 2), follow(2, 3)];
      await store.submit(changes);
      await store.submit([follow(3, 4)]);
      expect(messages.flat().map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(await stored(store)).toHaveLength(3);
      await store.close();
    }));

  test('before the commit arrived: nothing is stored and the submission is rejected', () =>
    withWire(async (place, wire) => {
      const serving = await serve(place);
      const { store, messages } = serving;
      wire.cut_at_commit = 'before';
      expect(await refusal(store.submit([follow(1, 2)]))).toMatchObject({ code: 'store_unavailable' });
      expect(serving.failures).toBe(1);
      await store.submit([follow(3, 4)]);
      expect(messages.flat()).toEqual(await stored(store));
      expect(messages.flat().map(({ seq }) => seq)).toEqual([1]);
      await store.close();
    }));

  test('after the commit arrived, for longer: the changes are applied once the server answers again', () =>
    withWire(async (place, wire) => {
      const serving = await serve(place);
      const { store, messages } = serving;
      await store.submit([follow(1, 2)]);
      wire.cut_at_commit = 'after';
      wire.goDown();
      const unknown = store.submit([follow(2, 3), follow(3, 4)]);
      expect(await refusal(unknown)).toMatchObject({ code: 'store_unavailable' });
      expect(await refusal(store.submit([follow(9, 9)]))).toMatchObject({ code: 'store_unavailable' });
      expect(messages.flat()).toHaveLength(1);
      wire.comeUp();
      // Rejected once more, because it may use keys that the stored changes have taken.
      expect(await refusal(store.submit([follow(9, 9)]))).toMatchObject({ code: 'store_unavailable' });
      expect(messages.flat().map(({ seq }) => seq)).toEqual([1, 2, 3]);
      await store.submit([follow(4, 5)]);
      expect(messages.flat()).toEqual(await stored(store));
      await store.close();
    }));

  test('while data is read is reported as a lost connection, not as damaged data', () =>
    withWire(async (place, wire) => {
      const { store } = await serve(place);
      await store.submit([follow(1, 2)]);
      await store.close();
      const beside = await openStore(optionsFor(place, { role: 'beside' }));
      const location = { data: place.data, database_url: place.database_url };
      const connection = await openConnection(location, 1);
      const lost = {
        name: 'StartupError',
        code: 'database_unreachable',
        remedy: expect.stringContaining('the server accepts connections'),
      };
      wire.goDown();
      // The reader thread cannot even connect.
      const reader_thread = { location, from: 0 };
      expect(await refusal(replay(connection, () => {}, { reader_thread }))).toMatchObject(lost);
      wire.cut();
      expect(await refusal(beside.replay(() => {}))).toMatchObject(lost);
      expect(await refusal(beside.latestTrend())).toMatchObject(lost);
      expect(await refusal(beside.feeds.all())).toMatchObject(lost);
      await beside.close();
      await connection.close();
    }));
});
