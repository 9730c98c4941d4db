import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { type MoveHooks, moveData } from '../../src/store/move.ts';
import { MOVED_TABLES } from '../../src/store/moved-tables.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { everyKind } from './any-change.ts';
import { ENGINES, optionsFor, type Place, refusal, serve, stored, withPlace } from './engines.ts';

const SILENT: MoveHooks = { copied: () => {}, comparing: () => {} };
const OTHER = { sqlite: ENGINES[1], postgres: ENGINES[0] };
/** Tables about running processes stay where they are. */
const PROCESS_TABLES = ['leases', 'nodes'];
/** More rows than one page has. */
const NAMES = 3_000;
/** Rows of seen items, sorted, in bytes that differ in their order from texts and numbers. */
const SEEN = Array.from({ length: 150 }, (_, index) => ({
  viewer: `${(index + 9).toString(16).padStart(2, '0')}`.padEnd(32, '7'),
  number: 0,
}));

async function fill(place: Place): Promise<void> {
  const { store } = await serve(place);
  const names = Array.from({ length: NAMES }, (_, key) => ({
    kind: 'name' as const,
    space: 'user' as const,
    key,
    id: `“user” \\ ${key}`,
    seq: 0,
    applied_at: 1_000.5 + key,
  }));
  await store.submit(names);
  await store.submit(everyKind());
  await store.seen.write(
    SEEN.map(({ viewer }, index) => ({
      viewer,
      built_from: 0,
      number: 7 + index,
      updated_at: 1_000.5,
      content: Uint8Array.of(index, 0, 255),
      parts: [10, 9].map((part) => ({ part, content: Uint8Array.of(part) })),
    })),
  );
  // In another order by their letters than by their bytes.
  for (const [at, released_key] of ['b', 'B', 'a', 'A-a', 'Ab'].entries()) {
    const { feed_id } = await store.feeds.create('account', '{}', { now: at, actor: 'test' });
    await store.feeds.delete(feed_id, { now: 1_000 + at, actor: 'test' }, released_key);
  }
  await store.close();
}

async function seenOf(place: Place) {
  const store = await openStore(optionsFor(place, { role: 'beside' }));
  const [rows, key] = [await store.seen.read(SEEN), await store.seenKey()];
  const format = await place.run("select value from meta where name = 'seen_format'");
  await store.close();
  return { rows, key, format };
}

async function changesOf(place: Place) {
  const store = await openStore(optionsFor(place, { role: 'beside' }));
  const changes = await stored(store);
  await store.close();
  return changes;
}

describe.each([...ENGINES])('data on $name', (engine) => {
  test('has no table and no column that a move does not know', () =>
    withPlace(engine, async (place) => {
      const store = await openStore(optionsFor(place));
      await store.close();
      const connection = await openConnection(place, 1);
      const found = await connection.db.introspection.getTables();
      await connection.close();
      const columns = Object.fromEntries(
        found
          .filter(({ name }) => !PROCESS_TABLES.includes(name))
          .map((table) => [table.name, table.columns.map(({ name }) => name).sort()]),
      );
      expect(columns).toEqual(
        Object.fromEntries(MOVED_TABLES.map((moved) => [moved.table, moved.columns.toSorted()])),
      );
    }));

  test('is refused after an interrupted move to it, which can be repeated', () =>
    withPlace(OTHER[engine.name], (source) =>
      withPlace(engine, async (target) => {
        await fill(source);
        const copied = () => {
          throw new Error('interrupted');
        };
        expect(await refusal(moveData(source, target, { ...SILENT, copied }))).toMatchObject({
          code: 'move_failed',
        });
        expect(await refusal(openStore(optionsFor(target)))).toMatchObject({ code: 'move_unfinished' });
        expect(await refusal(openStore(optionsFor(target, { role: 'beside' })))).toMatchObject({
          code: 'move_unfinished',
        });
        expect(await moveData(source, target, SILENT)).toBeGreaterThan(NAMES);
        expect(await seenOf(target)).toEqual(await seenOf(source));
        expect((await seenOf(target)).rows).toHaveLength(SEEN.length);
        expect(await changesOf(target)).toEqual(await changesOf(source));
        const released = 'select record_key, account, released_at from released_keys order by released_at';
        expect(await target.run(released)).toEqual(await source.run(released));
      }),
    ));
});

test('a target that differs from the source is found', () =>
  withPlace(ENGINES[1], (source) =>
    withPlace(ENGINES[0], async (target) => {
      await fill(source);
      const comparing = () => {
        const database = new Database(`${target.data}/feedloom.sqlite`);
        database.run('update names set key = 7 where seq = 6');
        database.close();
      };
      const { code, message } = await refusal(moveData(source, target, { ...SILENT, comparing }));
      expect([code, message]).toEqual(['move_failed', expect.stringContaining("the table 'names' differs")]);
      expect(await refusal(openStore(optionsFor(target)))).toMatchObject({ code: 'move_unfinished' });
    }),
  ));

test('a database that is lost during a move leaves an unfinished target', () =>
  withPlace(ENGINES[0], (source) =>
    withPlace(ENGINES[1], async (target) => {
      await fill(source);
      const open = await openStore(optionsFor(target, { role: 'beside' }));
      await open.close();
      // Ends the session of the move, as a server does that stops.
      await target.run(`create function lose() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`);
      await target.run('create trigger lose after insert on names execute function lose()');
      expect(await refusal(moveData(source, target, SILENT))).toMatchObject({ code: 'move_failed' });
      expect(await refusal(openStore(optionsFor(target)))).toMatchObject({ code: 'move_unfinished' });
      await target.run('drop trigger lose on names');
      expect(await moveData(source, target, SILENT)).toBeGreaterThan(NAMES);
      expect(await changesOf(target)).toEqual(await changesOf(source));
    }),
  ));
