import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ManualClock } from '../../src/clock.ts';
import { ShownPages } from '../../src/interchange/shown-pages.ts';
import { newPage } from '../../src/seen/head.ts';
import { SeenBook } from '../../src/seen/seen-book.ts';
import { VolatileSeen } from '../../src/store/volatile-seen.ts';
import { START, type TestService } from '../support/service.ts';
import { exportFrom, importInto, readFiles, withFolder, withImported, withService } from './support.ts';

const HEADER = 'user_id,item_id,timestamp\n';
const DAY = 86_400;

/** What a user has seen, longest ago first, with seconds before `START`. */
async function seenBy({ service }: TestService, user_id: string): Promise<[string, number][]> {
  const { seen, state } = service;
  const row = await seen.settle(seen.viewerOf(user_id));
  const { names } = state.items;
  return Array.from(row.inOrder(), (key) => [
    names.id(names.ordinal(key)),
    Math.round((START - (row.lastSeen(key) ?? 0)) * 1000) / 1000,
  ]);
}

async function recentPages({ service }: TestService, user_id: string): Promise<string[][]> {
  const { seen, state } = service;
  const { names } = state.items;
  const { pages } = await seen.settle(seen.viewerOf(user_id));
  return pages.map(({ keys }) => [...keys].map((key) => names.id(names.ordinal(key))));
}

const at = (seconds_ago: number): number => START - seconds_ago;

test('items of one user at one time become one page again, and the lines of users may be in any order', async () => {
  const lines = [
    `u,a,${at(100)}`,
    `v,a,${at(90)}`,
    `u,b,${at(100)}`,
    `u,b,${at(100)}`,
    `u,d,${at(50)}`,
    `u,c,${at(100)}`,
    `u,old,${at(30 * DAY)}`,
  ];
  await withImported({ 'impressions.csv': `${HEADER}${lines.join('\n')}\n` }, async (opened, output) => {
    expect(await recentPages(opened, 'u')).toEqual([['a', 'b', 'c'], ['d']]);
    expect(await seenBy(opened, 'u')).toEqual([
      ['old', 30 * DAY],
      ['a', 100],
      ['b', 100],
      ['c', 100],
      ['d', 50],
    ]);
    expect(await seenBy(opened, 'v')).toEqual([['a', 90]]);
    const [{ accepted, unchanged, rejected }] = output.files;
    expect([accepted, unchanged, rejected]).toEqual([7, 1, 0]);
  });
});

test('pages that have a name are told apart by it, and slots decide their order', async () => {
  const lines = [`u,a,${at(9)},p,2`, `u,b,${at(9)},q,1`, `u,c,${at(9)},p,1`, `u,d,${at(9)},q,x`];
  const file = `user_id,item_id,timestamp,page,slot\n${lines.join('\n')}\n`;
  await withImported({ 'impressions.csv': file }, async (opened, { lines: printed }) => {
    expect(await recentPages(opened, 'u')).toEqual([['c', 'a'], ['b']]);
    expect(printed).toEqual([expect.stringContaining('impressions.csv:5: slot: expected')]);
  });
});

test('a file that is imported again changes nothing, also after newer pages and older files', async () => {
  const file = (...lines: string[]) => ({ 'impressions.csv': `${HEADER}${lines.join('\n')}\n` });
  const first = file(`u,a,${at(40 * DAY)}`, `u,b,${at(30 * DAY)}`, `u,c,${at(100)}`);
  await withImported(first, async (opened, _output, folder) => {
    const newer = file(`u,a,${at(50)}`, `u,d,${at(50)}`);
    const older = file(`u,e,${at(35 * DAY)}`, `u,b,${at(60 * DAY)}`);
    for (const each of [newer, older]) await withFolder(each, (other) => importInto(opened, other));
    const order = await seenBy(opened, 'u');
    expect(order.map(([item_id]) => item_id)).toEqual(['e', 'b', 'c', 'a', 'd']);
    const { seen } = opened.service;
    const { number } = await seen.settle(seen.viewerOf('u'));
    const [{ accepted, unchanged }] = (await importInto(opened, folder)).files;
    expect([accepted, unchanged]).toEqual([3, 3]);
    expect(await seenBy(opened, 'u')).toEqual(order);
    expect((await seen.settle(seen.viewerOf('u'))).number).toBe(number);
  });
});

test('an export has what known users have seen, with times of two days, and an import of it gives the same file', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => [
    `u,item ${index},${at(0.25 + index * 7_000)}`,
    `v,item ${index},${at(5 + Math.floor(index / 7) * 90_000)}`,
  ]).flat();
  await withImported({ 'impressions.csv': `${HEADER}${lines.join('\n')}\n` }, (opened) =>
    withFolder({}, async (folder) => {
      const { seen, state } = opened.service;
      const keys = Uint32Array.of(state.items.names.key(0));
      const page = newPage({ time: START, page_id: 1, feed: 0, arm: 0, keys });
      expect(await seen.merge(seen.viewerOf('stranger'), [page])).toBe(1);
      const [first, second] = ['first', 'second'].map((name) => join(folder, name));
      await exportFrom(opened, first);
      const { 'impressions.csv': exported } = readFiles(first);
      const rows = exported.trimEnd().split('\n');
      expect(rows).toHaveLength(1 + lines.length);
      expect(rows.at(0)).toBe('user_id,item_id,timestamp');
      expect(rows.at(60)).toBe(`u,item 0,${at(0.25)}`);
      expect(rows.at(1)).toMatch(/^u,item 59,\d+$/);
      await withService(async (elsewhere) => {
        await importInto(elsewhere, first);
        await exportFrom(elsewhere, second);
        expect(readFiles(second)['impressions.csv']).toBe(exported);
      });
    }),
  );
});

test('a file that is longer than what is kept at once gives the same rows in pieces', async () => {
  const lines = Array.from({ length: 400 }, (_, index) => ({
    user_id: `user ${(index * 7) % 13}`,
    item: (index * 31) % 101,
    timestamp: at(((index * 17) % 400) * 10_000),
  }));
  async function rowsOf(lines_max: number) {
    const store = new VolatileSeen();
    const options = { store, key: new Uint8Array(32), clock: new ManualClock(START), is_shared: false };
    const book = new SeenBook({ ...options, cache_bytes_max: 0 });
    const pages = new ShownPages(lines_max);
    let flushes = 0;
    for (const { item, ...line } of lines) {
      pages.add({ ...line, item_id: String(item) }, item, undefined, START);
      if (!pages.is_full) continue;
      flushes++;
      await pages.flush(book);
    }
    await pages.flush(book);
    const users = [...new Set(lines.map(({ user_id }) => user_id))];
    const rows = await Promise.all(users.map((user_id) => book.settle(book.viewerOf(user_id))));
    return { flushes, seen: rows.map((row) => Array.from(row.inOrder(), (key) => [key, row.lastSeen(key)])) };
  }
  const whole = await rowsOf(10_000);
  const pieces = await rowsOf(20);
  expect([whole.flushes, pieces.flushes]).toEqual([0, 20]);
  expect(pieces.seen).toEqual(whole.seen);
});

test('two processes that add pages to one row at once lose none', async () => {
  const store = new VolatileSeen();
  const options = { store, key: new Uint8Array(32), clock: new ManualClock(START), is_shared: true };
  const books = [0, 1].map(() => new SeenBook({ ...options, cache_bytes_max: 2 ** 20 }));
  const viewer = books[0].viewerOf('u');
  const merges = books.map((book, which) => {
    const keys = Uint32Array.of(which, 10 + which);
    return book.merge(viewer, [newPage({ time: at(which), page_id: 0, feed: 0, arm: 0, keys })]);
  });
  expect(await Promise.all(merges)).toEqual([2, 2]);
  expect([...(await books[0].settle(viewer)).inOrder()].toSorted()).toEqual([0, 1, 10, 11]);
});
