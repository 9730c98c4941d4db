import { describe, expect, test } from 'bun:test';
import { type ReservedSQL, SQL } from 'bun';
import type { Timers } from '../../src/clock.ts';
import { StillNeeded } from '../../src/store/purge-work.ts';
import { erased, named, userVersion } from './changes.ts';
import { ENGINES, type Place, refusal, type Serving, serve, withPlace } from './engines.ts';

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

/**
 * The pauses of a purge, which end when the test says so. Other timers never fire: they would give a server up that is
 * only slow.
 */
class Pauses implements Timers {
  private readonly running = new Set<() => void>();
  private begun = Promise.withResolvers<void>();
  /** False until the store serves: earlier timers belong to the lock. */
  is_serving = false;

  after(_: number, run: () => void): () => void {
    if (!this.is_serving) return () => {};
    this.running.add(run);
    this.begun.resolve();
    return () => this.running.delete(run);
  }

  /** Resolves when the purge pauses. */
  async begin(): Promise<void> {
    await this.begun.promise;
  }

  end(): void {
    this.begun = Promise.withResolvers();
    const ended = [...this.running];
    this.running.clear();
    for (const run of ended) run();
  }
}

/** Waits for the purge and ends each of its pauses. Returns its error if it fails. */
async function outcome(purge: Promise<void>, pauses: Pauses): Promise<unknown> {
  const result = purge.then(
    () => 'purged',
    (error: unknown) => error,
  );
  for (;;) {
    const first = await Promise.race([result, pauses.begin()]);
    if (first !== undefined) return first;
    pauses.end();
  }
}

/** Runs `work` with a store in which a user was erased, and with another connection. */
function withErased(
  work: (given: Serving & { place: Place; pauses: Pauses; other: ReservedSQL }) => Promise<void>,
): Promise<void> {
  return withPlace(postgres, async (place) => {
    const pauses = new Pauses();
    const serving = await serve(place, { timers: pauses });
    pauses.is_serving = true;
    const pool = new SQL({ url: place.database_url, max: 1 });
    const other = await pool.reserve();
    await serving.store.submit([
      named('user', 1, 'erased'),
      ...Array.from({ length: 20 }, (_, at) => userVersion(at + 2, `profile ${at}`)),
      userVersion(1, SECRET),
      ...Array.from({ length: 20 }, (_, at) => userVersion(at + 2, `later profile ${at}`)),
    ]);
    try {
      await work({ ...serving, place, pauses, other });
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
  pauses: Pauses,
  reader: ReservedSQL,
): Promise<{ purging: Promise<void> }> {
  await reader.unsafe('begin isolation level repeatable read');
  await reader.unsafe('select 1');
  await store.submit([erased(1)]);
  const purging = store.purge();
  await pauses.begin();
  // Within an object, because a promise alone would be awaited.
  return { purging };
}

/**
 * Waits until all transactions that write now have ended, also in databases of other tests on this server. A reader that
 * starts beside them may need rows as old as they are.
 */
async function withoutOlderWriters(connection: ReservedSQL): Promise<void> {
  await connection.unsafe('create temporary table now as select pg_current_xact_id() as id');
  const ended = 'select pg_snapshot_xmin(pg_current_snapshot()) > id as ended from now';
  for (;;) {
    const [row] = (await connection.unsafe(ended)) as { ended: boolean }[];
    if (row.ended) return;
  }
}

const READERS: Record<string, { begin: string[]; end: string }> = {
  'a transaction that reads': {
    begin: ['begin isolation level repeatable read', 'select count(*) from users'],
    end: 'commit',
  },
  'a transaction that has written': { begin: ['begin', 'create table anything (x integer)'], end: 'commit' },
};

describe('a purge on PostgreSQL', () => {
  test('removes erased data from the files', () =>
    withErased(async ({ store, place, pauses }) => {
      await store.submit([erased(1)]);
      expect(await isInFiles(place)).toBe(true);
      expect(await outcome(store.purge(), pauses)).toBe('purged');
      expect([await isInFiles(place), await purgedSeq(place)]).toEqual([false, '43']);
    }));

  test.each(Object.entries(READERS))(
    'does not report success while %s needs the rows, and is repeated',
    (_, { begin, end }) =>
      withErased(async ({ store, place, pauses, other }) => {
        for (const statement of begin) await other.unsafe(statement);
        await store.submit([erased(1)]);
        const failed = await outcome(store.purge(), pauses);
        expect(failed).toBeInstanceOf(StillNeeded);
        expect(await purgedSeq(place)).toBeUndefined();
        await other.unsafe(end);
        expect(await outcome(store.purge(), pauses)).toBe('purged');
        expect([await isInFiles(place), await purgedSeq(place)]).toEqual([false, '43']);
      }),
  );

  test('stops waiting when the process is to end, and is repeated', () =>
    withErased(async ({ store, place, pauses, other }) => {
      const { purging } = await purgeBesideReader(store, pauses, other);
      store.stopWaiting();
      expect(await refusal(purging)).toBeInstanceOf(StillNeeded);
      expect(await refusal(store.purge())).toBeInstanceOf(StillNeeded);
      expect(await purgedSeq(place)).toBeUndefined();
      await other.unsafe('commit');
      await store.purge();
      expect(await isInFiles(place)).toBe(false);
    }));

  test('ends when a reader ends while it waits', () =>
    withErased(async ({ store, place, pauses, other }) => {
      const { purging } = await purgeBesideReader(store, pauses, other);
      await other.unsafe('commit');
      expect(await outcome(purging, pauses)).toBe('purged');
      expect(await isInFiles(place)).toBe(false);
    }));

  test('does not wait for readers that started after the erasure was purged', () =>
    withErased(async ({ store, place, pauses, other }) => {
      const { purging } = await purgeBesideReader(store, pauses, other);
      await using later = new SQL({ url: place.database_url, max: 1 });
      const reader = await later.reserve();
      await other.unsafe('commit');
      await withoutOlderWriters(reader);
      await reader.unsafe('begin isolation level repeatable read');
      await reader.unsafe('select count(*) from users');
      expect(await outcome(purging, pauses)).toBe('purged');
      await reader.unsafe('commit');
      reader.release();
    }));
});
