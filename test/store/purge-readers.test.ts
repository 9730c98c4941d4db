import { describe, expect, test } from 'bun:test';
import { type ReservedSQL, SQL } from 'bun';
import { StillNeeded } from '../../src/store/purge-work.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { erased, named, userVersion } from './changes.ts';
import { ENGINES, type Place, type Serving, serve, withPlace } from './engines.ts';

const [, postgres] = ENGINES;

const SECRET = 'profile-to-erase';

/** Whether a file of the server's tables contains the secret. */
async function isInFiles({ run }: Place): Promise<boolean> {
  await run('checkpoint');
  const [[folder]] = await run("select setting from pg_settings where name = 'data_directory'");
  const [[path]] = await run("select pg_relation_filepath('users')");
  const bytes = await Bun.file(`${folder}/${path}`).bytes();
  return Buffer.from(bytes).includes(SECRET);
}

async function purgedSeq({ run }: Place): Promise<unknown> {
  return (await run("select value from meta where name = 'purged_seq'"))[0]?.[0];
}

/** Waits for the purge while timers pass, and returns its error if it fails. */
async function outcome(purge: Promise<void>, timers: ManualTimers): Promise<unknown> {
  let result: unknown;
  purge.then(
    () => (result = 'purged'),
    (error) => (result = error),
  );
  while (result === undefined) {
    // One of the timers belongs to the lock, which is checked in any case.
    if (timers.count > 1) await timers.pass(0.5);
    else await settled();
  }
  return result;
}

/** Runs `work` with a store in which a user was erased, and with another connection. */
function withErased(
  work: (given: Serving & { place: Place; timers: ManualTimers; other: ReservedSQL }) => Promise<void>,
): Promise<void> {
  return withPlace(postgres, async (place) => {
    const timers = new ManualTimers();
    const serving = await serve(place, { timers });
    const pool = new SQL({ url: place.database_url, max: 1 });
    const other = await pool.reserve();
    await serving.store.submit([
      named('user', 1, 'erased'),
      ...Array.from({ length: 20 }, (_, at) => userVersion(at + 2, `profile ${at}`)),
      userVersion(1, SECRET),
      ...Array.from({ length: 20 }, (_, at) => userVersion(at + 2, `later profile ${at}`)),
    ]);
    try {
      await work({ ...serving, place, timers, other });
    } finally {
      other.release();
      await pool.close();
      await serving.store.close();
    }
  });
}

/** Starts a reader, erases a user, and starts a purge that waits for the reader. */
async function purgeBesideReader(
  store: Serving['store'],
  timers: ManualTimers,
  reader: ReservedSQL,
): Promise<{ purging: Promise<void> }> {
  await reader.unsafe('begin isolation level repeatable read');
  await reader.unsafe('select 1');
  await store.submit([erased(1)]);
  const purging = store.purge();
  while (timers.count < 2) await settled();
  // Within an object, because a promise alone would be awaited.
  return { purging };
}

const READERS: Record<string, { begin: string[]; end: string }> = {
  'a transaction that reads': {
    begin: ['begin isolation level repeatable read', 'select count(*) from users'],
    end: 'commit',
  },
  'a transaction that has written': {
    begin: ['begin', 'create table anything (x integer)'],
    end: 'commit',
  },
};

describe('a purge on PostgreSQL', () => {
  test('removes erased data from the files', () =>
    withErased(async ({ store, place, timers }) => {
      await store.submit([erased(1)]);
      expect(await isInFiles(place)).toBe(true);
      expect(await outcome(store.purge(), timers)).toBe('purged');
      expect([await isInFiles(place), await purgedSeq(place)]).toEqual([false, '43']);
    }));

  test.each(Object.entries(READERS))(
    'does not report success while %s needs the rows, and is repeated',
    (_, { begin, end }) =>
      withErased(async ({ store, place, timers, other }) => {
        for (const statement of begin) await other.unsafe(statement);
        await store.submit([erased(1)]);
        const failed = await outcome(store.purge(), timers);
        expect(failed).toBeInstanceOf(StillNeeded);
        expect(await purgedSeq(place)).toBeUndefined();
        await other.unsafe(end);
        expect(await outcome(store.purge(), timers)).toBe('purged');
        expect([await isInFiles(place), await purgedSeq(place)]).toEqual([false, '43']);
      }),
  );

  test('stops waiting when the process is to end, and is repeated', () =>
    withErased(async ({ store, place, timers, other }) => {
      const { purging } = await purgeBesideReader(store, timers, other);
      store.hurry();
      await expect(purging).rejects.toBeInstanceOf(StillNeeded);
      await expect(store.purge()).rejects.toBeInstanceOf(StillNeeded);
      expect(await purgedSeq(place)).toBeUndefined();
      await other.unsafe('commit');
      await store.purge();
      expect(await isInFiles(place)).toBe(false);
    }));

  test('ends when a reader ends while it waits', () =>
    withErased(async ({ store, place, timers, other }) => {
      const { purging } = await purgeBesideReader(store, timers, other);
      await other.unsafe('commit');
      expect(await outcome(purging, timers)).toBe('purged');
      expect(await isInFiles(place)).toBe(false);
    }));

  test('does not wait for readers that started after the erasure was purged', () =>
    withErased(async ({ store, place, timers, other }) => {
      const { purging } = await purgeBesideReader(store, timers, other);
      const later = new SQL({ url: place.database_url, max: 1 });
      const reader = await later.reserve();
      await other.unsafe('commit');
      await reader.unsafe('begin isolation level repeatable read');
      await reader.unsafe('select count(*) from users');
      expect(await outcome(purging, timers)).toBe('purged');
      await reader.unsafe('commit');
      reader.release();
      await later.close();
    }));
});
