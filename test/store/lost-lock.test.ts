import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { openStore } from '../../src/store/open-store.ts';
import { editAt } from '../support/edit.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { follow, named } from './changes.ts';
import {
  ADVISORY_LOCKS,
  ENGINES,
  testPlace as it,
  optionsFor,
  type Place,
  refusal,
  type Serving,
  serve,
  stored,
  withPlace,
} from './engines.ts';

const [, postgres] = ENGINES;

/** Ends every connection, as a restart of the server does. */
async function cutAll({ run }: Place): Promise<void> {
  await run(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

/** Number of connections that hold the lock, or any advisory lock. */
async function locks({ run }: Place): Promise<number> {
  return (await run(`${ADVISORY_LOCKS} and granted`)).length;
}

async function names({ run }: Place): Promise<unknown[][]> {
  return run('select seq, key, id from names order by seq');
}

/** Runs `work` with a store whose lock the server has just released. */
function withLostLock(
  work: (given: Serving, place: Place, timers: ManualTimers) => Promise<void>,
): Promise<void> {
  return withPlace(postgres, async (place) => {
    const timers = new ManualTimers();
    const serving = await serve(place, { timers, command: 'first' });
    await serving.store.submit([named('user', 1, 'before')]);
    await cutAll(place);
    expect(await locks(place)).toBe(0);
    try {
      await work(serving, place, timers);
    } finally {
      await serving.store.close();
    }
  });
}

describe('a lock that the server released', () => {
  test('is taken again, and other processes are refused as before', () =>
    withLostLock(async (serving, place, timers) => {
      // As if another process had taken the lock in between and failed to open the data.
      await place.run("delete from meta where name = 'holder'");
      while ((await locks(place)) === 0) await timers.pass(0.5);
      const { code, message } = await refusal(openStore(optionsFor(place)));
      expect([code, message.includes("'first'")]).toEqual(['data_in_use', true]);
      await serving.store.submit([follow(1, 2)]);
      expect(await stored(serving.store)).toHaveLength(2);
      expect(serving.stopped).toBeUndefined();
    }));

  test('stays reserved for its holder when another process wants it first', () =>
    withLostLock(async (serving, place, timers) => {
      const opening = refusal(openStore(optionsFor(place, { command: 'second' })));
      const pause = `select 1 from pg_stat_activity
        where datname = current_database() and query like 'select pg_sleep%'`;
      while ((await place.run(pause)).length === 0);
      while ((await locks(place)) === 0) await timers.pass(0.5);
      expect(await opening).toMatchObject({ code: 'data_in_use' });
      await serving.store.submit([follow(1, 2)]);
      expect(serving.stopped).toBeUndefined();
    }));

  test('goes to another process if its holder does not return, and the former holder writes nothing more', () =>
    withLostLock(async (serving, place, timers) => {
      const second = await openStore(optionsFor(place, { command: 'second' }));
      const seqs: number[] = [];
      await second.replay(({ seq }) => seqs.push(seq));
      // The first process is alive and has not noticed the takeover.
      const late = await refusal(serving.store.submit([named('user', 2, 'anna')]));
      expect(late).toMatchObject({ code: 'store_unavailable' });
      const last_applied_at = 0;
      await second.startWriter({ onCommitted() {}, onFailed() {}, last_applied_at });
      await second.submit([named('user', 2, 'bert')]);
      expect(seqs).toEqual([1]);
      expect(await names(place)).toEqual([
        ['1', 1, 'before'],
        ['2', 2, 'bert'],
      ]);
      expect([serving.stopped, serving.store.is_stopped]).toEqual([
        'another process has taken the data over',
        true,
      ]);
      const writes = [
        serving.store.submit([follow(1, 2)]),
        serving.store.feeds.create('acme', '{}', editAt(1)),
        serving.store.checkpoints!.enter({ name: 'of the first', seq: 1, digest: '' }),
        serving.store.purge(),
      ];
      for (const write of writes) expect(await refusal(write)).toMatchObject({ code: 'store_unavailable' });
      expect(await second.feeds.all()).toEqual([]);
      expect(await second.checkpoints!.entry()).toBeUndefined();
      await timers.pass(10);
      expect((await refusal(openStore(optionsFor(place)))).message).toContain("'second'");
      await second.close();
    }));

  test('stops its former holder after a takeover, even without a write', () =>
    withLostLock(async (serving, place, timers) => {
      const second = await openStore(optionsFor(place, { command: 'second' }));
      while (serving.stopped === undefined) {
        await timers.pass(0.5);
        await settled();
      }
      expect(serving.stopped).toBe('another process has taken the data over');
      await second.close();
      // The former holder has released it for good.
      await timers.pass(10);
      const third = await openStore(optionsFor(place, { command: 'third' }));
      await third.close();
    }));
});

describe('a lock that is held', () => {
  test('names no holder until its holder has announced itself, in particular not the previous one', () =>
    withPlace(postgres, async (place) => {
      await (await openStore(optionsFor(place, { command: 'yesterday' }))).close();
      await using pool = new SQL({ url: place.database_url, max: 1 });
      const starting = await pool.reserve();
      await starting.unsafe('select pg_advisory_lock(7136102)');
      expect((await refusal(openStore(optionsFor(place)))).message).toContain('in use by another process');
      starting.release();
    }));
});

it('a process whose data was taken over detects it at the first write', async (place) => {
  const serving = await serve(place);
  await place.run("update meta set value = 'of another' where name = 'fence'");
  expect(serving.store.is_stopped).toBe(false);
  const write = serving.store.feeds.create('acme', '{}', editAt(1));
  expect(await refusal(write)).toMatchObject({ code: 'store_unavailable' });
  expect(serving.stopped).toBe('another process has taken the data over');
  expect(await refusal(serving.store.submit([follow(1, 2)]))).toMatchObject({ code: 'store_unavailable' });
  expect(await place.run('select * from feeds')).toEqual([]);
  await serving.store.close();
});
