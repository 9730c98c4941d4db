import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { openStore } from '../../src/store/open-store.ts';
import { start } from '../cli/run.ts';
import { editAt } from '../support/edit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { follow } from './changes.ts';
import { ADVISORY_LOCKS, ENGINES, optionsFor, type Place, refusal, serve, withPlace } from './engines.ts';

const [, postgres] = ENGINES;
/** For waits that must not last long. */
const IMPATIENT = { patience_seconds: 0.05 };

/** Runs `work` while a transaction of another session holds the write lock. */
async function withWriting(
  place: Place,
  work: (other: { pid: number; end(): Promise<void> }) => Promise<void>,
): Promise<void> {
  const client = new SQL({ url: place.database_url, max: 1 });
  const other = await client.reserve();
  try {
    await other.unsafe('begin');
    const [{ pid }] = await other.unsafe('select pg_advisory_xact_lock(7136101), pg_backend_pid() as pid');
    await work({ pid, end: async () => void (await other.unsafe('rollback')) });
  } finally {
    other.release();
    await client.close({ timeout: 0 });
  }
}

async function someoneWaits({ run }: Place): Promise<void> {
  while ((await run(`${ADVISORY_LOCKS} and not granted`)).length === 0);
}

const writtenBy = (pid: number) => ({
  name: 'StartupError',
  code: 'data_in_use',
  message: expect.stringMatching(
    new RegExp(`locked for writing for .* by session ${pid} .*127\\.0\\.0\\.1.*idle in transaction`),
  ),
  remedy: expect.stringContaining(`pg_terminate_backend(${pid})`),
});

test('a start that waits for another writer fails after the timeout and names the writer; the next one succeeds', () =>
  withPlace(postgres, async (place) => {
    await (await serve(place)).store.close();
    await withWriting(place, async ({ pid, end }) => {
      expect(await refusal(openStore(optionsFor(place, IMPATIENT)))).toMatchObject(writtenBy(pid));
      const store = await openStore(optionsFor(place, { ...IMPATIENT, role: 'beside' }));
      const creating = store.keys.create('acme', ['feed:read'], editAt(1));
      expect(await refusal(creating)).toMatchObject(writtenBy(pid));
      expect(await refusal(store.keys.revoke('key_x', editAt(1)))).toMatchObject(writtenBy(pid));
      await end();
      await store.keys.create('acme', ['feed:read'], editAt(1));
      await store.close();
    });
    await (await serve(place, IMPATIENT)).store.close();
  }));

test('a start that waits for another writer ends at once when it is stopped, and holds no lock', () =>
  withPlace(postgres, async (place) => {
    await (await serve(place)).store.close();
    await withWriting(place, async ({ end }) => {
      const stopping = new AbortController();
      const opening = refusal(openStore(optionsFor(place, { stopping: stopping.signal })));
      await someoneWaits(place);
      stopping.abort(new Error('stopped by the test'));
      expect((await opening).message).toBe('stopped by the test');
      await end();
    });
    while ((await place.run(ADVISORY_LOCKS)).length > 0);
    await (await serve(place)).store.close();
  }));

test('a writer thread that waits for another writer does not keep the start from being stopped', () =>
  withPlace(postgres, async (place) => {
    const stopping = new AbortController();
    const store = await openStore(optionsFor(place, { stopping: stopping.signal }));
    await store.replay(() => {});
    await withWriting(place, async () => {
      const starting = refusal(store.startWriter({ onCommitted() {}, onFailed() {}, last_applied_at: 0 }));
      await someoneWaits(place);
      stopping.abort(new Error('stopped by the test'));
      expect((await starting).message).toBe('stopped by the test');
    });
    await store.close();
  }));

test('a start that waits for another writer keeps its lock on the data even if the server ends idle sessions', () =>
  withPlace(postgres, async (place) => {
    await (await serve(place)).store.close();
    await withWriting(place, async ({ end }) => {
      const name = new URL(place.database_url ?? '').pathname.slice(1);
      await place.run(`alter database ${name} set idle_session_timeout = '300ms'`);
      const opening = openStore(optionsFor(place));
      await someoneWaits(place);
      const of_the_lock = (more: string) =>
        place.run(`select 1 from pg_locks join pg_stat_activity using (pid)
          where objid = 7136102 and granted and datname = current_database() ${more}`);
      while ((await of_the_lock('')).length > 0) {
        if ((await of_the_lock("and now() - state_change > '600ms'")).length > 0) break;
      }
      expect(await of_the_lock('')).toHaveLength(1);
      await place.run(`alter database ${name} reset idle_session_timeout`);
      await end();
      await (await opening).close();
    });
  }));

const folder = temporaryFolder('write-lock');

test('the first signal ends a service that waits for another writer before it can start', () =>
  withPlace(postgres, async (place) => {
    await (await serve(place)).store.close();
    await withWriting(place, async () => {
      const { database_url = '' } = place;
      const child = start('serve', '--port', '0', '--data', folder, '--database-url', database_url);
      await someoneWaits(place);
      child.kill('SIGTERM');
      const [stdout, stderr] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect([await child.exited, stderr]).toEqual([0, '']);
      expect(stdout).toContain('stopped before the state was loaded');
    });
  }));

test('a running writer waits for other writers without a limit', () =>
  withPlace(postgres, async (place) => {
    const { store } = await serve(place, IMPATIENT);
    await withWriting(place, async ({ end }) => {
      const writing = store.submit([follow(1, 2)]);
      await someoneWaits(place);
      expect(await refusal(store.keys.create('acme', ['feed:read'], editAt(1)))).toMatchObject({
        code: 'data_in_use',
      });
      await end();
      await writing;
    });
    await store.close();
  }));
