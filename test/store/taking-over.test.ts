import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { openStore } from '../../src/store/open-store.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import type { Store } from '../../src/store/store.ts';
import { Writer } from '../../src/store/writer.ts';
import { token, wallet } from '../alpha/support.ts';
import { run } from '../cli/run.ts';
import { openTestServer } from '../support/service.ts';
import { follow } from './changes.ts';
import {
  ADVISORY_LOCKS,
  ENGINES,
  testPlace as it,
  optionsFor,
  type Place,
  refusal,
  serve,
  stored,
  withNewPlace,
  withPlace,
} from './engines.ts';

const [sqlite, postgres] = ENGINES;
const HOOKS = { onCommitted() {}, onFailed() {}, last_applied_at: 0 };
const FENCE_OF_ANOTHER = "update meta set value = 'of another' where name = 'fence'";

/** Replays the data, lets another process act, and returns the error of the writer's start. */
async function refusedAfter(
  place: Place,
  ...statements: string[]
): Promise<{ store: Store; error: unknown }> {
  const store = await openStore(optionsFor(place));
  await store.replay(() => {});
  for (const statement of statements) await place.run(statement);
  return { store, error: await refusal(store.startWriter(HOOKS)) };
}

/** @param what the action of the other process */
function takenOver(what: string): object {
  return {
    name: 'StartupError',
    code: 'data_taken_over',
    message: `another process ${what} while this one was reading`,
    remedy: expect.stringContaining('start again'),
  };
}

it('the writer does not start if another process wrote after the replay', async (place) => {
  const { store, error } = await refusedAfter(
    place,
    "update meta set value = '1' where name = 'highest_seq'",
    "insert into names values (1, 1, 0, 7, 'anna')",
  );
  expect(error).toMatchObject(takenOver('wrote to the data (up to 1, read up to 0)'));
  await store.close();
  const next = await serve(place);
  await next.store.submit([follow(1, 2)]);
  expect(await stored(next.store)).toHaveLength(2);
  await next.store.close();
});

it('a process whose data was taken over during the replay gets an error at the start', async (place) => {
  const { store, error } = await refusedAfter(place, FENCE_OF_ANOTHER);
  expect(error).toMatchObject(takenOver('has taken the data over'));
  await store.close();
});

it('a writer that cannot start reports the cause at the start', async (place) => {
  const { store, error } = await refusedAfter(place, 'alter table meta rename to hidden');
  const message = expect.stringMatching(/nothing can be written .*meta/);
  expect(error).toMatchObject({ code: 'writer_failed', message });
  await place.run('alter table hidden rename to meta');
  await store.close();
});

test('a writer that cannot open the data reports the same error as a start', () =>
  withNewPlace(sqlite, async ({ data }) => {
    mkdirSync(data);
    writeFileSync(databaseFile(data), 'no database '.repeat(1000));
    const starting = Writer.start({ location: { data }, fence: '', highest_seq: 0 }, HOOKS, 10);
    expect(await refusal(starting)).toMatchObject({
      name: 'StartupError',
      code: 'data_unreadable',
      remedy: expect.stringContaining('backup'),
    });
  }));

/** Takes over the data in a folder as another process would. */
function takeOver(file: string): void {
  const database = new Database(file);
  database.run(FENCE_OF_ANOTHER);
  database.close();
}

describe('a service whose data is taken over', () => {
  test('during the replay does not start and reports it', () =>
    withPlace(sqlite, async (place) => {
      await (await serve(place)).store.close();
      const file = databaseFile(place.data);
      // Called before and after the replay.
      const monotonicMs = () => {
        takeOver(file);
        return 0;
      };
      const opening = openTestServer({ data: place.data, opening: { monotonicMs } });
      expect(await refusal(opening)).toMatchObject({ code: 'data_taken_over' });
      await (await openTestServer({ data: place.data })).close();
    }));

  test('while it serves is no longer ready, and stops normally', () =>
    withPlace(sqlite, async (place) => {
      const server = await openTestServer({ data: place.data });
      takeOver(databaseFile(place.data));
      const { status } = await server.post('/v2/farcaster/users', [{ user_id: 'anna' }]);
      expect([status, (await server.call('GET', '/readyz')).status]).toEqual([503, 503]);
      expect((await server.call('GET', '/metrics')).body).toContain('feedloom_ready 0');
      await server.close();
      await (await serve(place)).store.close();
    }));

  test('while it creates the wallet community refuses the event, and logs the cause', () =>
    withPlace(sqlite, async (place) => {
      let others = true;
      // Called before and after the replay.
      const monotonicMs = () => {
        const file = databaseFile(place.data, 'wallets');
        if (others && existsSync(file)) takeOver(file);
        return 0;
      };
      await using server = await openTestServer({ data: place.data, opening: { monotonicMs } });
      const post = () =>
        server.post('/base/events', { wallet_address: wallet(1), item_id: token(1), event_type: 'mint' });
      const { status, body, headers } = await post();
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5']);
      expect(server.log.join()).toContain('another process has taken the data over');
      others = false;
      expect((await post()).status).toBe(200);
    }));
});

test('an import that the store refuses reports the cause', () =>
  withPlace(sqlite, async (place) => {
    await (await serve(place)).store.close();
    await place.run(
      "create trigger refuse before insert on names begin select raise(abort, 'no more names'); end",
    );
    const folder = dirname(place.data);
    writeFileSync(join(folder, 'users.jsonl'), '{"user_id":"anna"}\n');
    const { code, stderr } = await run('import', folder, '--data', place.data);
    expect([code, stderr]).toEqual([2, expect.stringContaining('(no more names) [store_unavailable]')]);
  }));

describe('the last commit of a process that was killed', () => {
  test('is awaited and read if the server is still executing it', () =>
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
        while ((await place.run(`${ADVISORY_LOCKS} and not granted`)).length === 0);
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
