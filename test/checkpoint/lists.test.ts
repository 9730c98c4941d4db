import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../src/settings.ts';
import { run } from '../cli/run.ts';
import { START, type TestService } from '../support/service.ts';
import { checkpointsIn, Place, write } from './support.ts';

/** Neighbour lists beside a checkpoint. */

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.end());

const GROUPS = 4;
const USERS = 40;
const ITEMS = 80;
/** Lists may lag, so that they are worth storing. */
const LAGGING: Partial<Settings> = { derived_lag_ms: 100, checkpoint_changes: 1, checkpoint_seconds: 0 };

const open = (settings: Partial<Settings> = {}) => place.open({ settings: { ...LAGGING, ...settings } });
const like = (user_id: string, item_id: string, at: number) => ({
  user_id,
  item_id,
  event_type: 'like',
  timestamp: START - 10_000 + at,
});
const itemOf = (index: number) => `item-${index % ITEMS}`;

/** Users of four groups like most items of their group, one after another. */
async function fill({ service }: TestService): Promise<void> {
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    item_id: itemOf(at),
    author_id: `author-${at % 7}`,
    created_at: START - 20_000 + at,
  }));
  await service.ingest.ingest('items', items);
  const likes = Array.from({ length: USERS * 10 }, (_, at) => {
    const user = at % USERS;
    const turn = Math.floor(at / USERS);
    return like(
      `user-${user}`,
      itemOf((user % GROUPS) + GROUPS * ((3 * turn + user) % (ITEMS / GROUPS))),
      at,
    );
  });
  await service.ingest.ingest('interactions', likes);
}

async function pageOf({ service }: TestService, user: number): Promise<string[]> {
  const request = { user_id: `user-${user}`, top_k: 20, impression_count: 0, seed: 1 };
  const page = await service.feeds.serve('for-you', { ...request, scoring: 'user_interest_all_v0.0.1' });
  return page.items.map((item) => String(item.item_id));
}

async function pagesOf(running: TestService): Promise<string[][]> {
  const pages: string[][] = [];
  for (let user = 0; user < USERS; user++) pages.push(await pageOf(running, user));
  return pages;
}

const listFiles = () => readdirSync(place.data).filter((name) => name.includes('.lists'));

/** A folder with a checkpoint and lists, and the pages that they give. */
async function written(change?: (running: TestService) => Promise<void>): Promise<string[][]> {
  const running = await open();
  await fill(running);
  await place.warm(running);
  await write(running);
  await change?.(running);
  const pages = await pagesOf(running);
  // The files after a loss of power: a stop would write another checkpoint after an erasure.
  const copy = join(place.root, 'copy');
  cpSync(place.data, copy, { recursive: true });
  await place.close(running);
  place.data = copy;
  return pages;
}

test('a start from a checkpoint has all lists at once, and the same pages', async () => {
  const pages = await written();
  expect([checkpointsIn(place.data).length, listFiles().length]).toEqual([1, 1]);
  const again = await open();
  expect(again.service.feeds.upkeep.lists).toEqual({ kept: ITEMS, waiting: 0, warming: false });
  expect(await pagesOf(again)).toEqual(pages);
  expect(again.service.feeds.upkeep.lists.kept).toBe(ITEMS);
  expect(place.said('cannot be used')).toBe(0);
});

test('an own checkpoint has all lists, even if no page was requested', async () => {
  const running = await open();
  await fill(running);
  expect(running.service.feeds.upkeep.lists.kept).toBe(0);
  await running.service.checkpoints!.writeOwn(running.service.state);
  await place.close(running);
  expect((await open()).service.feeds.upkeep.lists.kept).toBe(ITEMS);
});

test.each([
  ['changed', (file: string) => writeFileSync(file, readFileSync(file).fill(7, 3_000, 3_001)), 'damaged'],
  ['cut off', (file: string) => truncateSync(file, 2_000), 'damaged'],
  ['empty', (file: string) => truncateSync(file, 0), 'damaged'],
  [
    'without its end',
    (file: string) => truncateSync(file, 8),
    'not the checkpoint that the database recorded',
  ],
  ['another file', (file: string) => writeFileSync(file, 'something else'), 'not a file of neighbour lists'],
  ['missing', (file: string) => rmSync(file), 'ENOENT'],
] as const)(
  'lists in a file that is %s are dropped with a log line, and built again',
  async (_, harm, reason) => {
    const pages = await written();
    const [file] = listFiles();
    harm(join(place.data, file));
    const again = await open();
    expect(again.service.loaded.checkpoint_seq).toBeGreaterThan(0);
    expect(again.service.feeds.upkeep.lists.kept).toBe(0);
    expect(place.said('the neighbour lists beside the checkpoint cannot be used')).toBe(1);
    expect(place.log.find((line) => line.includes('cannot be used'))).toContain(reason);
    expect(listFiles()).toEqual([]);
    await place.warm(again);
    expect(await pagesOf(again)).toEqual(pages);
    await place.close(again);
    // The checkpoint stays, and nothing is reported again.
    expect((await open()).service.loaded.checkpoint_seq).toBeGreaterThan(0);
    expect(place.said('cannot be used')).toBe(1);
  },
);

test('lists of another checkpoint are dropped', async () => {
  await written();
  const [former] = listFiles();
  copyFileSync(join(place.data, former), join(place.root, 'former'));
  const running = await open();
  await running.service.ingest.ingest('interactions', [like('user-1', itemOf(2), 9_999)]);
  await write(running);
  await place.close(running);
  const [now] = listFiles();
  expect(now).not.toBe(former);
  copyFileSync(join(place.root, 'former'), join(place.data, now));
  expect((await open()).service.feeds.upkeep.lists.kept).toBe(0);
  expect(place.said('cannot be used')).toBe(1);
});

test('lists of items with many new users after the checkpoint are outdated, and others are not', async () => {
  await written(async ({ service }) => {
    const likes = Array.from({ length: 5 }, (_, at) => like(`new-${at}`, itemOf(0), 5_000 + at));
    await service.ingest.ingest('interactions', likes);
  });
  const again = await open();
  await pageOf(again, 1);
  expect(again.service.feeds.upkeep.lists.waiting).toBe(0);
  await again.service.ingest.ingest('interactions', [like('viewer', itemOf(0), 6_000)]);
  await again.service.feeds.serve('for-you', { user_id: 'viewer', impression_count: 0 });
  expect(again.service.feeds.upkeep.lists.waiting).toBe(1);
});

test('after a start no list leads to or from what was deleted, posted again, hidden or erased after the checkpoint', async () => {
  await written(async ({ service }) => {
    const { ingest } = service;
    await ingest.ingest('users', [{ user_id: 'user-4', hidden: true }]);
    await ingest.deleteUser('user-8');
    await ingest.deleteItem(itemOf(12));
    await ingest.deleteItem(itemOf(16));
    const created_at = START + 1;
    await ingest.ingest('items', [{ item_id: itemOf(16), author_id: 'another', created_at, revive: true }]);
    while (service.state.settle(1_000));
  });
  const again = await open();
  const { kept } = again.service.feeds.upkeep.lists;
  expect(kept).toBeGreaterThan(ITEMS / 2);
  // Both users liked half of the items of one group.
  expect(kept).toBeLessThanOrEqual(ITEMS - ITEMS / GROUPS / 2);
  for (let user = 0; user < USERS; user++) {
    // The first places come from lists, and later ones from global rankings.
    const first = (await pageOf(again, user)).slice(0, 5);
    expect(first).not.toContain(itemOf(12));
    expect(first).not.toContain(itemOf(16));
  }
});

test('a start from a checkpoint without lists works, and the next checkpoint has them', async () => {
  const exact = await open({ derived_lag_ms: 0 });
  await fill(exact);
  await write(exact);
  await place.close(exact);
  expect(listFiles()).toEqual([]);
  const again = await open();
  expect([again.service.loaded.checkpoint_seq > 0, again.service.feeds.upkeep.lists.kept]).toEqual([true, 0]);
  expect(await pageOf(again, 0)).toHaveLength(20);
  await place.warm(again);
  await write(again);
  expect(listFiles()).toHaveLength(1);
  expect(place.said('cannot be used')).toBe(0);
});

test('lists are not used if they must not lag', async () => {
  await written();
  const exact = await open({ derived_lag_ms: 0 });
  expect(exact.service.feeds.upkeep.lists.kept).toBe(0);
});

test('a start removes what a killed write of lists left, and uses the last checkpoint', async () => {
  const pages = await written();
  const [lists] = listFiles();
  const left = ['content-half.lists.part', 'content-whole.lists', 'content-whole.checkpoint'];
  for (const name of left) copyFileSync(join(place.data, lists), join(place.data, name));
  const again = await open();
  expect(again.service.feeds.upkeep.lists.kept).toBe(ITEMS);
  expect(listFiles()).toEqual([lists]);
  expect(await pagesOf(again)).toEqual(pages);
});

test('a restored backup has no lists, and its start reports nothing', async () => {
  await written();
  const backup = join(place.root, 'backup.sqlite');
  expect(await run('backup', backup, '--data', place.data)).toMatchObject({ code: 0 });
  place.data = join(place.root, 'restored');
  expect(await run('restore', backup, '--data', place.data)).toMatchObject({ code: 0 });
  const restored = await open();
  expect(restored.service.feeds.upkeep.lists.kept).toBe(0);
  expect(place.said('cannot be used')).toBe(0);
  expect(await pageOf(restored, 0)).toHaveLength(20);
});
