import { expect } from 'bun:test';
import { START } from '../../support/service.ts';
import { type Community, testCommunity as it } from '../support.ts';

const DAY = 86_400;
const MUSIC = 'https://example.community/channel/music';
const FOOD = 'https://example.community/channel/food';

function insight({ server }: Community, user_id: string) {
  return server.get(`/v2/farcaster/users/${user_id}/insight`);
}

it('the insight names the authors, channels, labels and languages of the latest acts, strongest first', async (community) => {
  await community.add('users', { user_id: 'viewer' });
  for (const item_id of ['m1', 'm2'])
    await community.addItem(item_id, {
      author_id: 'musician',
      channel: MUSIC,
      language: 'en',
      ai_labels: { music: 0.9 },
    });
  await community.addItem('f1', { author_id: 'cook', channel: FOOD, language: 'en' });
  await community.follow('viewer', 'quiet');
  for (const item_id of ['m1', 'm2', 'f1']) await community.act('viewer', 'like', item_id);
  const { status, body } = await insight(community, 'viewer');
  expect(status).toBe(200);
  expect(body.channels).toEqual([
    { value: MUSIC, share: 0.6667 },
    { value: FOOD, share: 0.3333 },
  ]);
  expect(body.languages).toEqual([{ value: 'en', share: 1 }]);
  expect(body.labels).toMatchObject([{ value: 'music', share: 0.6 }]);
  expect(body.apps).toEqual([]);
  expect(body.authors.map(({ user_id }: { user_id: string }) => user_id)).toEqual([
    'musician',
    'cook',
    'quiet',
  ]);
  expect(body.authors[0]).toMatchObject({ share: 0.6667, follows: false });
  expect(body.authors[2]).toMatchObject({ share: 0, follows: true });
  expect(body.authors[0].closeness).toBeGreaterThan(body.authors[1].closeness);
});

it('the insight says whether the viewer is cold, by which rule and with which numbers', async (community) => {
  const { clock, service } = community.server;
  const { cold_start_min_interactions: min_interactions, cold_start_inactive_days: inactive_days } =
    service.settings;
  await community.add('users', { user_id: 'viewer' });
  const cold = async () => (await insight(community, 'viewer')).body.cold_start;
  expect(await cold()).toEqual({
    is_cold: true,
    reason: `the viewer has 0 interactions that count, fewer than min_interactions ${min_interactions}`,
    interactions: 0,
    latest_at: null,
    min_interactions,
    inactive_days,
  });
  for (let item = 0; item <= min_interactions; item++) {
    await community.addItem(`item ${item}`);
    await community.act('viewer', 'like', `item ${item}`, { timestamp: START });
  }
  const count = { interactions: min_interactions + 1, latest_at: START };
  expect(await cold()).toMatchObject({ is_cold: false, reason: null, ...count });
  clock.set(START + (inactive_days + 1) * DAY);
  expect(await cold()).toMatchObject({ is_cold: true, ...count });
});

it('the insight lists the latest impressions, without deleted items', async (community) => {
  const { clock, server } = { clock: community.server.clock, server: community.server };
  for (const item_id of ['a', 'b', 'c', 'd']) await community.addItem(item_id);
  const shown = async () => {
    const page = await community.page('for-you', { user_id: 'viewer', top_k: 2, impression_count: 2 });
    return page.map(({ item_id }) => item_id);
  };
  const first = await shown();
  clock.set(START + 60.5);
  const second = await shown();
  expect([first.length, second.length]).toEqual([2, 2]);
  const { body } = await insight(community, 'viewer');
  expect(body.shown_items).toBe(4);
  expect(body.impressions).toEqual([
    ...second.map((item_id) => ({ item_id, timestamp: START + 60 })),
    ...first.map((item_id) => ({ item_id, timestamp: START })),
  ]);
  await server.remove(`/v2/farcaster/items/${first[0]}`);
  const { impressions } = (await insight(community, 'viewer')).body;
  expect(impressions.map(({ item_id }: { item_id: string }) => item_id)).toEqual([...second, first[1]]);
});

it('there is no insight into an unknown user', async (community) => {
  expect((await insight(community, 'unknown')).body).toMatchObject({ status: 404, code: 'not_found' });
});
