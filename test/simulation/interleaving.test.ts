import { afterEach, describe, expect, test } from 'bun:test';
import pino from 'pino';
import { ManualClock } from '../../src/clock.ts';
import { Metrics } from '../../src/http/metrics/metrics.ts';
import { temporaryFolder } from '../support/folder.ts';
import { samples } from '../support/samples.ts';
import { openTestService, START, type TestService } from '../support/service.ts';

/** Concurrent writes: the result must be that of one of the two orders. */

let opened: TestService;
afterEach(() => opened.close());
const folder = temporaryFolder('interleaving');

async function open(): Promise<TestService> {
  opened = await openTestService();
  return opened;
}

const ITEM = { item_id: 'item', author_id: 'author', created_at: START - 100_000, text: 'first' };
const LIKE = { user_id: 'fan', item_id: 'item', event_type: 'like' };

/** All items that the user may be shown. */
async function shownTo({ service }: TestService, user_id: string): Promise<string[]> {
  const request = { user_id, top_k: 100, impression_count: 0, return_metadata: false };
  return (await service.feeds.serve('popular', request)).items.map(({ item_id }) => item_id);
}

describe('records of one body', () => {
  test('a record that takes back an earlier one of the same body is not dropped as unchanged', async () => {
    const { service } = await open();
    const { ingest, state } = service;
    await ingest.ingest('items', [ITEM]);
    await ingest.ingest('users', [{ user_id: 'fan' }, { user_id: 'idol' }]);
    await ingest.ingest('interactions', [LIKE, { ...LIKE, action: 'remove' }]);
    expect(await shownTo(opened, 'fan')).toEqual(['item']);
    await ingest.ingest('follows', [
      { user_id: 'fan', target_user_id: 'idol' },
      { user_id: 'fan', target_user_id: 'idol', action: 'unfollow' },
    ]);
    expect(state.follows.count(state.users.names.find('fan'))).toBe(0);
    await ingest.ingest('blocks', [
      { user_id: 'fan', target_user_id: 'author' },
      { user_id: 'fan', target_user_id: 'author', action: 'unblock' },
    ]);
    expect(await shownTo(opened, 'fan')).toEqual(['item']);
  });

  test('repeated records without a time do not move the time of the stored one', async () => {
    const { service } = await open();
    const dated = { ...LIKE, timestamp: START - 500 };
    await service.ingest.ingest('items', [ITEM]);
    await service.ingest.ingest('interactions', [
      dated,
      LIKE,
      { ...dated, timestamp: START - 400, action: 'remove' },
    ]);
    expect(await shownTo(opened, 'fan')).toEqual(['item']);
  });

  test('records of one body build on each other across slices', async () => {
    const { service } = await open();
    await service.ingest.ingest('items', [ITEM]);
    const others = Array.from({ length: 600 }, (_, index) => ({ ...LIKE, user_id: `other-${index}` }));
    await service.ingest.ingest('interactions', [LIKE, ...others, { ...LIKE, action: 'remove' }]);
    expect(await shownTo(opened, 'fan')).toEqual(['item']);
    expect(service.state.items.likes_count(service.state.items.names.find('item'))).toBe(600);
  });
});

describe('an erasure under way', () => {
  test('an erasure under way does not remove an item that another user posts anew', async () => {
    const { service } = await open();
    await service.ingest.ingest('items', [ITEM]);
    await Promise.all([
      service.ingest.deleteUser('author'),
      service.ingest.ingest('items', [{ ...ITEM, author_id: 'heir', text: 'second' }]),
    ]);
    expect(await shownTo(opened, 'reader')).toEqual(['item']);
  });

  test('an erasure under way removes earlier records and no later ones', async () => {
    const { service } = await open();
    await service.ingest.ingest('items', [ITEM]);
    await service.ingest.ingest('interactions', [LIKE]);
    await Promise.all([
      service.ingest.deleteUser('fan'),
      service.ingest.ingest('users', [{ user_id: 'fan', display_name: 'somebody new', revive: true }]),
    ]);
    expect(await shownTo(opened, 'fan')).toEqual(['item']);
    const { users, items } = service.state;
    expect(users.described(users.names.find('fan'))).toBe(true);
    expect(items.likes_count(items.names.find('item'))).toBe(0);
  });
});

test('after the clock is set back new acts are not older than known ones', async () => {
  const { service, clock } = await open();
  await service.ingest.ingest('items', [ITEM]);
  await service.ingest.ingest('interactions', [LIKE]);
  await service.ingest.ingest('interactions', [{ ...LIKE, action: 'remove' }]);
  clock.advance(-3600);
  await service.ingest.ingest('interactions', [LIKE]);
  expect(await shownTo(opened, 'fan')).toEqual([]);
});

test('after the clock is set back time still advances: acts after a count are counted, and comments stay distinct', async () => {
  const { service, clock } = await open();
  const { items } = service.state;
  const counts = () => {
    const item = items.names.find('item');
    return [items.likes_count(item), items.comments_count(item)];
  };
  clock.advance(1);
  await service.ingest.ingest('items', [ITEM]);
  clock.advance(-3600);
  await service.ingest.ingest('items', [{ ...ITEM, likes_count: 10, comments_count: 20 }]);
  clock.advance(1);
  await service.ingest.ingest('interactions', [LIKE]);
  const comment = { ...LIKE, event_type: 'comment' };
  for (let times = 1; times <= 3; times++) {
    clock.advance(1);
    await service.ingest.ingest('interactions', [comment]);
    expect(counts()).toEqual([11, 20 + times]);
  }
});

const AHEAD = 'feedloom_clock_ahead_seconds{community="content"}';

/** Log entry about a clock that is behind: its level, and the difference in seconds. */
function aheadIn(line: string): number[] {
  const { level, ahead_seconds, remedy } = JSON.parse(line);
  if (ahead_seconds === undefined) return [];
  expect(remedy).toContain('import it into an empty folder');
  return [level, ahead_seconds];
}

test('after the clock is set back the next write logs it, once until the clock has caught up', async () => {
  const told: number[] = [];
  const log = pino({}, { write: (line: string) => told.push(...aheadIn(line)) });
  opened = await openTestService({ opening: { log } });
  const { service, clock } = opened;
  const metric = async () => samples(await new Metrics(() => service).text()).get(AHEAD);
  const write = () => service.ingest.ingest('interactions', [{ ...LIKE, event_type: 'comment' }]);
  await service.ingest.ingest('items', [ITEM]);
  expect([told, await metric()]).toEqual([[], 0]);
  clock.advance(-3600);
  expect(await metric()).toBe(3600);
  for (let times = 0; times < 3; times++) await write();
  expect(told).toEqual([40, 3600]);
  clock.advance(4000);
  await write();
  expect(await metric()).toBe(0);
  clock.advance(-60);
  await write();
  expect(told).toEqual([40, 3600]);
  clock.advance(-60);
  await write();
  expect(told).toEqual([40, 3600, 40, 120]);
});

test('a start with a clock behind the stored changes logs it', async () => {
  const told: number[] = [];
  const write = (line: string) => told.push(...aheadIn(line));
  const openAt = async (seconds: number) => {
    const clock = new ManualClock(START + seconds);
    opened = await openTestService({ data: folder, clock, opening: { log: pino({}, { write }) } });
  };
  await openAt(3600);
  await opened.service.ingest.ingest('items', [ITEM]);
  await opened.close();
  await openAt(3600 - 60);
  expect(told).toEqual([]);
  await opened.close();
  await openAt(3600 - 61);
  expect(told).toEqual([40, 61]);
});
