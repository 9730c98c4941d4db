import { expect } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { newPage } from '../../src/seen/head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import { viewerHash } from '../../src/seen/seen-store.ts';
import { nextRow } from '../../src/seen/seen-write.ts';
import { fillSeen } from '../../src/store/fill-seen.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { openStore, plannedUpgrade } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { erased, named } from './changes.ts';
import { testPlace as it, optionsFor, type Place, serve } from './engines.ts';
import { undoMigrations } from './former-version.ts';

const NOW = 1_700_000_000;
const DAY = 86_400;
const BEFORE_SEEN = '0029';
const BEFORE_DROPPING = '0033';

/** The second user was erased, the third has no name any more. */
const CHANGES: Change[] = [
  named('user', 0, 'anna'),
  named('user', 1, 'erased'),
  named('user', 3, 'odd \0 id'),
  erased(1),
];
/** Pages by arrival: their user, their age in days, and their items. */
const RECORDED: [user: number, days_ago: number, ...items: number[]][] = [
  [0, 30, 1, 2, 3],
  [3, 1, 100],
  [0, 0.5, 9, 8],
  [1, 3, 1, 2],
  [2, 3, 1],
  [0, 20, 4, 2],
  [0, 0.25, 7, 1],
];

async function changed(place: Place): Promise<void> {
  const { store } = await serve(place);
  await store.submit(CHANGES);
  await store.close();
}

/** Makes data of a former version with recorded pages. @param from the first migration that it lacks */
async function recorded(place: Place, from = BEFORE_SEEN): Promise<void> {
  await undoMigrations(place, from);
  for (const [at, [user, days_ago, ...items]] of RECORDED.entries()) {
    const bytes = Buffer.from(Uint32Array.from(items).buffer).toString('hex');
    const literal = place.database_url === undefined ? `x'${bytes}'` : `'\\x${bytes}'`;
    await place.run(`insert into impressions (seq, applied_at, user_key, timestamp, items, arm)
      values (${100 + at}, ${NOW}, ${user}, ${NOW - days_ago * DAY}, ${literal}, 7)`);
  }
}

async function rowOf(store: Store, user_id: string): Promise<SeenRow> {
  const viewer = viewerHash(await store.seenKey(), user_id);
  const [stored] = await store.seen.read([{ viewer, number: 0 }]);
  return stored === undefined ? SeenRow.none(viewer) : SeenRow.from(stored);
}

const storedRows = ({ run }: Place) => run('select viewer, part, number, content from seen order by 1, 2');

it('an upgrade moves recorded pages to a row a viewer', async (place) => {
  await changed(place);
  await recorded(place);
  const progress: number[] = [];
  const onUpgrade = ({ pages_done }: { pages_done: number }) => progress.push(pages_done);
  const store = await openStore({ ...optionsFor(place), onUpgrade });
  const anna = await rowOf(store, 'anna');
  expect([...anna.inOrder()]).toEqual([3, 4, 2, 9, 8, 7, 1]);
  expect(anna.pages.map(({ time, arm, keys }) => [NOW - time, arm, ...keys])).toEqual([
    [DAY / 2, 7, 9, 8],
    [DAY / 4, 7, 7, 1],
  ]);
  expect(Math.abs((anna.lastSeen(3) ?? 0) - (NOW - 30 * DAY))).toBeLessThan(1);
  expect([...(await rowOf(store, 'odd \0 id')).inOrder()]).toEqual([100]);
  expect((await rowOf(store, 'erased')).number).toBe(0);
  expect(progress).toEqual([7]);
  await store.close();
  expect(await storedRows(place)).toHaveLength(2);
  expect(await place.run("select 1 from meta where name like 'seen_filled%'")).toEqual([]);
});

it('a plan of an upgrade counts what will move and changes nothing', async (place) => {
  await changed(place);
  await recorded(place);
  const { migrations, filling } = await plannedUpgrade(optionsFor(place));
  expect(migrations[0]).toBe('0029_seen');
  expect(filling).toMatchObject({ viewers: 2, pages: 5, items: 10, erased_pages: 2 });
  expect(filling?.bytes).toBeGreaterThan(200);
  expect(await plannedUpgrade(optionsFor(place))).toEqual({ migrations, filling });
  await (await openStore(optionsFor(place))).close();
  expect(await plannedUpgrade(optionsFor(place))).toEqual({ migrations: [] });
});

it('pages that move in steps which are interrupted give the same rows', async (place) => {
  await changed(place);
  await recorded(place);
  await (await openStore(optionsFor(place))).close();
  const expected = await storedRows(place);
  await recorded(place, BEFORE_DROPPING);
  await place.run('delete from seen');
  const interrupted = () => {
    throw new Error('killed');
  };
  let attempts = 0;
  for (let is_done = false; !is_done; attempts++) {
    const connection = await openConnection(place, 2);
    is_done = await fillSeen(connection, attempts < 9 ? interrupted : () => {}, 2).then(
      () => true,
      () => false,
    );
    await connection.close();
  }
  expect(attempts).toBe(10);
  const contents = (rows: unknown[][]) => rows.map(([viewer, , , content]) => [viewer, content]);
  expect(contents(await storedRows(place))).toEqual(contents(expected));
});

it('pages that have moved and a row that has newer pages stay as they are', async (place) => {
  await changed(place);
  const { store } = await serve(place);
  const none = await rowOf(store, 'anna');
  const keys = Uint32Array.of(50, 3);
  const page = newPage({ time: NOW, page_id: 1, feed: 2, arm: 0, keys });
  const { write } = nextRow(none, { pages: [page] }, NOW);
  expect(await store.seen.write([write])).toEqual([none.viewer]);
  await store.close();
  await recorded(place, BEFORE_DROPPING);
  const connection = await openConnection(place, 2);
  await fillSeen(connection, () => {});
  const moved = await storedRows(place);
  await place.run("delete from meta where name like 'seen_filled%'");
  await fillSeen(connection, () => {}, 3);
  expect(await storedRows(place)).toEqual(moved);
  await connection.close();
  const again = await serve(place);
  const anna = await rowOf(again.store, 'anna');
  expect(anna.number).toBe(write.number + 1);
  expect([...anna.inOrder()]).toEqual([4, 2, 9, 8, 7, 1, 50, 3]);
  expect(anna.has(1)).toBeTrue();
  await again.store.close();
});
