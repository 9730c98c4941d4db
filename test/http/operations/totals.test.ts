import { expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { purgeCommunity } from '../../../src/community.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { START } from '../../support/service.ts';
import { defaultAccount, newAccount } from '../config-support.ts';
import { LoggedCommunity } from '../logged-community.ts';
import { type Fields, feedPath } from '../support.ts';

const DAY = 86_400;

const totals = (community: LoggedCommunity, headers?: Record<string, string>) =>
  community.data('/api/totals', headers);

const saveFeed = ({ server }: LoggedCommunity, name: string) =>
  defaultAccount(server).add({ name, endpoint: 'feeds/popular' });

/** Shows a page to a viewer, logs it, and moves the clock on a second. */
async function show(community: LoggedCommunity, user_id: string, fields: Fields): Promise<void> {
  await community.answer({ user_id, ...fields });
  await community.log();
  community.server.clock.advance(1);
}

test('totals count hidden items but not deleted ones, and acts and follows until they are taken back', async () => {
  await using community = await LoggedCommunity.open();
  const counts = async () => {
    const { items, users, interactions, follows } = await totals(community);
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
  await using community = await LoggedCommunity.open();
  await community.addItem('one');
  for (const [user_id, days] of Object.entries({ now: 0, days: 3, weeks: 20, long: 40 }))
    await community.act(user_id, 'view', 'one', { timestamp: START - days * DAY });
  expect((await totals(community)).active_users).toEqual({ day: 1, week: 2, month: 3 });
});

test('totals have pages, shown items and acts by feed for 30 UTC days, and acts count for the last feed', async () => {
  await using community = await LoggedCommunity.open();
  for (const item_id of ['a', 'b', 'c']) await community.addItem(item_id);
  const [one, other] = [await saveFeed(community, 'One'), await saveFeed(community, 'Other')];
  await show(community, 'v', { feed_id: one, top_k: 3 });
  await show(community, 'w', { feed_id: one, top_k: 2 });
  await community.act('x', 'like', 'c');
  await community.act('x', 'view', 'c');
  await community.act('x', 'hide', 'b');
  await show(community, 'w', { feed_id: other, top_k: 3 });
  await community.act('y', 'share', 'a');
  await community.act('y', 'share', 'a');
  await community.act('y', 'like', 'a', { timestamp: START - 60 });
  const first = [
    { day: '2026-01-01', feed_id: one, pages: 2, shown: 5, acts: 1 },
    { day: '2026-01-01', feed_id: other, pages: 1, shown: 3, acts: 1 },
  ];
  expect((await totals(community)).days).toEqual(first);
  community.server.clock.advance(DAY + 60);
  await community.act('z', 'like', 'a');
  expect((await totals(community)).days).toEqual(first);
  await show(community, 'v', { top_k: 1 });
  await community.act('z', 'bookmark', 'c');
  await community.act('z', 'bookmark', 'b');
  await community.act('z', 'bookmark', 'a');
  const second = { day: '2026-01-02', feed_id: null, pages: 1, shown: 1, acts: 1 };
  expect((await totals(community)).days).toEqual([...first, second]);
  community.server.clock.advance(29 * DAY);
  expect((await totals(community)).days).toEqual([second]);
  await community.addItem('late');
  community.server.clock.advance(DAY);
  expect((await totals(community)).days).toEqual([]);
});

test('totals do not name feeds of other accounts, nor deleted feeds', async () => {
  await using community = await LoggedCommunity.open();
  await community.addItem('a');
  const [kept, gone] = [await saveFeed(community, 'Kept'), await saveFeed(community, 'Gone')];
  for (const feed_id of [kept, gone]) await show(community, 'v', { feed_id });
  expect((await community.server.remove(`/api/feed/config?config_id=${gone}`)).status).toBe(200);
  const day = { day: '2026-01-01', pages: 1, shown: 1, acts: 0 };
  expect((await totals(community)).days).toEqual([
    { ...day, feed_id: kept },
    { ...day, feed_id: null },
  ]);
  const { headers } = await newAccount(community.server, 'other', 'config:write');
  const all = { ...day, feed_id: null, pages: 2, shown: 2 };
  expect((await totals(community, headers)).days).toEqual([all]);
});

test('days by feed are the same after starts with and without a checkpoint, and after pages and acts are purged', async () => {
  const data = temporaryFolder('totals');
  const clock = new ManualClock(START);
  const settings = { checkpoint_changes: 1, checkpoint_seconds: 0 };
  const open = () => LoggedCommunity.open({ data, clock, settings });
  const counted = async (community: LoggedCommunity) => (await totals(community)).days;
  const day = { day: '2026-01-01', pages: 1, shown: 2, acts: 2, feed_id: 'feed_1' };
  {
    await using community = await open();
    for (const item_id of ['a', 'b']) await community.addItem(item_id);
    expect(await saveFeed(community, 'One')).toBe('feed_1');
    await show(community, 'v', { feed_id: 'feed_1' });
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
  await show(community, 'w', { feed_id: 'feed_1', top_k: 2 });
  const later = { ...day, day: '2026-01-09', acts: 0 };
  expect(await counted(community)).toEqual([day, later]);
});

type Send = (community: LoggedCommunity, act: Fields) => Promise<unknown>;
const WAYS: [string, Send][] = [
  ['HTTP', (community, act) => community.add('interactions', act)],
  ['a connector', ({ server }, record) => server.service.ingest.ordered([{ kind: 'interaction', record }])],
];
test.each(WAYS)(
  'an act by %s counts for a page that was shown a moment before, although pages are logged some time later',
  async (_, send) => {
    await using community = await LoggedCommunity.open();
    await community.addItem('one');
    community.server.clock.advance(0.7);
    const { status } = await community.server.post(feedPath('popular'), { user_id: 'ann' });
    expect(status).toBe(200);
    // As a client that knows whole seconds.
    await send(community, { user_id: 'ann', item_id: 'one', event_type: 'like', timestamp: START });
    expect((await totals(community)).days[0]).toMatchObject({ feed_id: null, pages: 1, shown: 1, acts: 1 });
  },
);
