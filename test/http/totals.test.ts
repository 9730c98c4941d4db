import { expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { purgeCommunity } from '../../src/community.ts';
import { LIMITS } from '../../src/limits.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestServer, START, type TestServiceOptions } from '../support/service.ts';
import { newAccount } from './config-support.ts';
import { Community, type Fields, feedPath, KEY } from './support.ts';

const DAY = 86_400;

/** A community whose shown pages are logged when a test says so. */
class Counted extends Community {
  constructor(
    server: Community['server'],
    readonly timers: ManualTimers,
  ) {
    super(server);
  }

  static async open(options: TestServiceOptions = {}): Promise<Counted> {
    const timers = new ManualTimers();
    return new Counted(await openTestServer({ ...options, opening: { timers, logs_shown: true } }), timers);
  }

  async totals(headers: Record<string, string> = KEY) {
    const { status, body } = await this.server.call('GET', '/api/totals', undefined, headers);
    expect(status).toBe(200);
    return body.data;
  }

  async saveFeed(name: string): Promise<string> {
    const body = { name, endpoint: 'feeds/popular', config: {} };
    const { body: saved, status } = await this.server.post('/api/feed/config', body);
    expect(status).toBe(201);
    return saved.data.config_id;
  }

  /** Shows a page to a viewer, logs it, and moves the clock on a second. */
  async show(user_id: string, fields: Fields): Promise<void> {
    const { status } = await this.server.post(feedPath('popular'), { user_id, ...fields });
    expect(status).toBe(200);
    await this.timers.pass(LIMITS.shown_flush_seconds);
    await this.server.service.ingest.queue.allApplied();
    this.server.clock.advance(1);
  }
}

test('totals count hidden items but not deleted ones, and acts and follows until they are taken back', async () => {
  await using community = await Counted.open();
  const counts = async () => {
    const { items, users, interactions, follows } = await community.totals();
    return { items, users, interactions, follows };
  };
  expect(await counts()).toEqual({ items: 0, users: 0, interactions: 0, follows: 0 });
  for (const item_id of ['one', 'two', 'three']) await community.addItem(item_id);
  await community.addItem('two', { hidden: true });
  await community.act('ann', 'like', 'one');
  await community.act('ann', 'view', 'two');
  await community.follow('ann', 'ben');
  await community.follow('ben', 'ann');
  expect(await counts()).toEqual({ items: 3, users: 3, interactions: 2, follows: 2 });
  community.server.clock.advance(1);
  await community.act('ann', 'like', 'one', { action: 'remove' });
  await community.follow('ben', 'ann', { action: 'unfollow' });
  const { status } = await community.server.remove('/v2/farcaster/items/three');
  expect(status).toBe(200);
  expect(await counts()).toEqual({ items: 2, users: 3, interactions: 1, follows: 1 });
});

test('totals count users by the age of their last act', async () => {
  await using community = await Counted.open();
  await community.addItem('one');
  for (const [user_id, days] of Object.entries({ now: 0, days: 3, weeks: 20, long: 40 }))
    await community.act(user_id, 'view', 'one', { timestamp: START - days * DAY });
  expect((await community.totals()).active_users).toEqual({ day: 1, week: 2, month: 3 });
});

test('totals have pages, shown items and acts by feed for 30 UTC days, and acts count for the last feed', async () => {
  await using community = await Counted.open();
  for (const item_id of ['a', 'b', 'c']) await community.addItem(item_id);
  const [one, other] = [await community.saveFeed('One'), await community.saveFeed('Other')];
  await community.show('v', { feed_id: one, top_k: 3 });
  await community.show('w', { feed_id: one, top_k: 2 });
  await community.act('x', 'like', 'c');
  await community.act('x', 'view', 'c');
  await community.act('x', 'hide', 'b');
  await community.show('w', { feed_id: other, top_k: 3 });
  await community.act('y', 'share', 'a');
  await community.act('y', 'share', 'a');
  await community.act('y', 'like', 'a', { timestamp: START - 60 });
  const first = [
    { day: '2026-01-01', feed_id: one, pages: 2, shown: 5, acts: 1 },
    { day: '2026-01-01', feed_id: other, pages: 1, shown: 3, acts: 1 },
  ];
  expect((await community.totals()).days).toEqual(first);
  community.server.clock.advance(DAY + 60);
  await community.act('z', 'like', 'a');
  expect((await community.totals()).days).toEqual(first);
  await community.show('v', { top_k: 1 });
  await community.act('z', 'bookmark', 'c');
  await community.act('z', 'bookmark', 'b');
  await community.act('z', 'bookmark', 'a');
  const second = { day: '2026-01-02', feed_id: null, pages: 1, shown: 1, acts: 1 };
  expect((await community.totals()).days).toEqual([...first, second]);
  community.server.clock.advance(29 * DAY);
  expect((await community.totals()).days).toEqual([second]);
  await community.addItem('late');
  community.server.clock.advance(DAY);
  expect((await community.totals()).days).toEqual([]);
});

test('totals do not name feeds of other accounts, nor deleted feeds', async () => {
  await using community = await Counted.open();
  await community.addItem('a');
  const [kept, gone] = [await community.saveFeed('Kept'), await community.saveFeed('Gone')];
  for (const feed_id of [kept, gone]) await community.show('v', { feed_id });
  expect((await community.server.remove(`/api/feed/config?config_id=${gone}`)).status).toBe(200);
  const day = { day: '2026-01-01', pages: 1, shown: 1, acts: 0 };
  expect((await community.totals()).days).toEqual([
    { ...day, feed_id: kept },
    { ...day, feed_id: null },
  ]);
  const { headers } = await newAccount(community.server, 'other', 'config:write');
  const all = { ...day, feed_id: null, pages: 2, shown: 2 };
  expect((await community.totals(headers)).days).toEqual([all]);
});

test('days by feed are the same after starts with and without a checkpoint, and after pages and acts are purged', async () => {
  const data = temporaryFolder('totals');
  const clock = new ManualClock(START);
  const settings = { checkpoint_changes: 1, checkpoint_seconds: 0 };
  const open = () => Counted.open({ data, clock, settings });
  const counted = async (community: Counted) => (await community.totals()).days;
  const day = { day: '2026-01-01', pages: 1, shown: 2, acts: 2, feed_id: 'feed_1' };
  {
    await using community = await open();
    for (const item_id of ['a', 'b']) await community.addItem(item_id);
    expect(await community.saveFeed('One')).toBe('feed_1');
    await community.show('v', { feed_id: 'feed_1' });
    for (const user_id of ['x', 'gone']) await community.act(user_id, 'like', 'a');
    expect(await counted(community)).toEqual([day]);
    const path = '/v2/farcaster/users/gone';
    expect((await community.server.remove(path)).status).toBe(200);
    await purgeCommunity(community.server.service);
  }
  for (const wait of [0, 8 * DAY]) {
    clock.advance(wait);
    await using community = await open();
    const { service } = community.server;
    expect(service.loaded.checkpoint_seq).toBe(0);
    expect(await counted(community)).toEqual([day]);
    await community.addItem(`after ${wait}`);
    await purgeCommunity(service);
    if (wait > 0) await service.checkpoints?.writeOwn(service.state);
  }
  await using community = await open();
  expect(community.server.service.loaded.checkpoint_seq).toBeGreaterThan(0);
  await community.show('w', { feed_id: 'feed_1', top_k: 2 });
  const later = { ...day, day: '2026-01-09', acts: 0 };
  expect(await counted(community)).toEqual([day, later]);
});

test('an act counts for a page that was shown a moment before, although pages are logged some time later', async () => {
  await using community = await Counted.open();
  await community.addItem('one');
  community.server.clock.advance(0.7);
  const { status } = await community.server.post(feedPath('popular'), { user_id: 'ann' });
  expect(status).toBe(200);
  // As a client that knows whole seconds.
  await community.act('ann', 'like', 'one', { timestamp: START });
  expect((await community.totals()).days[0]).toMatchObject({ feed_id: null, pages: 1, shown: 1, acts: 1 });
});
