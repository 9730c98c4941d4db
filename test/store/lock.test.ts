import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store/open-store.ts';
import {
  ENGINES,
  testPlace as it,
  optionsFor,
  type Place,
  refusal,
  stored,
  withNewPlace,
  withPlace,
} from './engines.ts';

/** Starts another process that holds the data of `place`. Resolves when its write is acknowledged. */
async function holdingProcess(place: Place, command: string) {
  const argument = JSON.stringify(optionsFor(place, { command }));
  const file = join(import.meta.dir, 'holding-process.ts');
  const child = Bun.spawn([process.execPath, file, argument], { stdout: 'pipe', stderr: 'inherit' });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain('acknowledged');
  return child;
}

describe('exclusive use', () => {
  it('refuses a second serving process and names the first, until the first is killed', async (place) => {
    const child = await holdingProcess(place, 'feedloom import');
    try {
      const error = await openStore(optionsFor(place)).catch((reason) => reason);
      expect(error).toMatchObject({ name: 'StartupError', code: 'data_in_use' });
      expect(error.message).toMatch(
        new RegExp(`in use by 'feedloom import' \\(pid ${child.pid}\\) since \\d{4}-\\d\\d-\\d\\dT`),
      );
      expect(error.remedy).not.toBe('');
      const beside = await openStore(optionsFor(place, { role: 'beside', command: 'export' }));
      expect(await stored(beside)).toHaveLength(3);
      await beside.close();
    } finally {
      child.kill('SIGKILL');
      await child.exited;
    }
    const store = await openStore(optionsFor(place));
    expect(await stored(store)).toHaveLength(3);
    await store.close();
  });

  it('is refused within one process too, and possible again after closing', async (place) => {
    const first = await openStore(optionsFor(place));
    expect(await refusal(openStore(optionsFor(place)))).toMatchObject({ code: 'data_in_use' });
    await first.close();
    const second = await openStore(optionsFor(place));
    await second.close();
  });
});

const [sqlite, postgres] = ENGINES;

describe('a lock holder whose name cannot be written', () => {
  /** Opens a place twice. The first must succeed, and the refusal of the second must not name a holder. */
  async function openTwice(place: Place): Promise<void> {
    const store = await openStore(optionsFor(place));
    const { code, message } = await refusal(openStore(optionsFor(place)));
    expect([code, message.includes('in use by another process')]).toEqual(['data_in_use', true]);
    await store.close();
  }

  test('still holds the folder and leaves no partial file', () =>
    withPlace(sqlite, async (place) => {
      // The rename that replaces a file fails on a folder.
      mkdirSync(join(place.data, 'feedloom.lock.json'), { recursive: true });
      await openTwice(place);
      const parts = readdirSync(place.data).filter((name) => name.startsWith('feedloom.lock.json.'));
      expect(parts).toEqual([]);
    }));

  test('is not mistaken for the previous holder', () =>
    withPlace(sqlite, async (place) => {
      mkdirSync(join(place.data, 'feedloom.lock.json.part'), { recursive: true });
      const killed = { pid: 1, command: 'killed', since: '2026-01-01T00:00:00Z' };
      writeFileSync(join(place.data, 'feedloom.lock.json'), JSON.stringify(killed));
      await openTwice(place);
    }));
});

const LOCKS = '/proc/locks';
// Skipped where the system does not list held locks.
test.skipIf(!existsSync(LOCKS))('a database keeps its locks while its threads start and end', () =>
  withPlace(sqlite, async (place) => {
    const child = await holdingProcess(place, 'feedloom serve');
    try {
      const { ino } = statSync(join(place.data, 'feedloom.sqlite'));
      const held = readFileSync(LOCKS, 'utf8')
        .split('\n')
        .filter((line) => line.split(/\s+/)[4] === String(child.pid) && line.includes(`:${ino} `));
      expect(held).not.toEqual([]);
    } finally {
      child.kill('SIGKILL');
      await child.exited;
    }
  }),
);

describe('unusable locations', () => {
  test('a data folder that cannot be created is refused with a remedy', () =>
    withPlace(sqlite, async (place) => {
      const data = join(place.data, '..', 'file', 'data');
      writeFileSync(join(place.data, '..', 'file'), '');
      for (const role of ['serve', 'beside'] as const) {
        const error = await openStore(optionsFor(place, { data, role })).catch((reason) => reason);
        expect(error).toMatchObject({ name: 'StartupError', code: 'data_unwritable' });
        expect(error.remedy).toContain('--data');
      }
    }));

  const FILES_OPEN = '/proc/self/fd';
  // Skipped where the system does not list the open files of a process.
  test.skipIf(!existsSync(FILES_OPEN))('a refused database is closed', () =>
    withNewPlace(sqlite, async (place) => {
      mkdirSync(place.data);
      const file = join(place.data, 'feedloom.sqlite');
      writeFileSync(file, 'not a database at all '.repeat(1_000));
      await refusal(openStore(optionsFor(place, { role: 'beside' })));
      const open = readdirSync(FILES_OPEN).flatMap((descriptor) => {
        try {
          return [readlinkSync(join(FILES_OPEN, descriptor))];
        } catch {
          return [];
        }
      });
      expect(open).not.toContain(file);
    }),
  );

  test('a file that is not a database is refused', () =>
    withPlace(sqlite, async (place) => {
      const store = await openStore(optionsFor(place));
      await store.close();
      writeFileSync(join(place.data, 'feedloom.sqlite'), 'not a database at all '.repeat(1_000));
      const remedy = expect.stringContaining('from a backup');
      expect(await refusal(openStore(optionsFor(place)))).toMatchObject({ code: 'data_unreadable', remedy });
    }));

  test('the error about an unreachable server does not contain the password', () =>
    withPlace(sqlite, async (place) => {
      const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
      const { port } = listener;
      listener.stop(true);
      const database_url = `postgres://someone:secret@127.0.0.1:${port}/feeds`;
      for (const role of ['serve', 'beside'] as const) {
        const error = await openStore(optionsFor(place, { database_url, role })).catch((reason) => reason);
        expect(error).toMatchObject({ name: 'StartupError', code: 'database_unreachable' });
        expect(error.message).toContain(`'feeds' at 127.0.0.1:${port}`);
        expect(error.message).not.toContain('secret');
      }
    }));

  test('a wrong password is refused', () =>
    withPlace(postgres, async (place) => {
      const database_url = place.database_url?.replace(/:[^:@]+@/, ':wrong@');
      const opening = openStore(optionsFor(place, { database_url }));
      expect(await refusal(opening)).toMatchObject({ code: 'database_unreachable' });
    }));
});
