import { expect, test } from 'bun:test';
import { testsWith } from '../support/fixture.ts';
import { START } from '../support/service.ts';
import { DAY, numbered, openService, type Service, serviceWith } from './support.ts';

const it = testsWith(interestAndAffinity);

/** Readers of `music` items, and a friend of the viewer who liked `tip`; `other` is liked by strangers. */
async function interestAndAffinity(): Promise<Service> {
  const service = await serviceWith(...numbered('music', 4), 'tip', 'other');
  for (const item_id of numbered('music', 4)) await service.likes(item_id, ...numbered('fan', 3));
  await service.likes('tip', 'friend');
  await service.likes('other', 'stranger-1', 'stranger-2', 'stranger-3');
  await service.likes('music-00', 'viewer');
  await service.likes('music-01', 'viewer');
  await service.community.follow('viewer', 'friend');
  return service;
}

it('1.2 the default scoring function is balanced_feed_v0.0.1', async (service) => {
  const pages = await Promise.all(
    [undefined, null, '', 'all', 'balanced_feed_v0.0.1', { name: 'balanced_feed_v0.0.1' }].map((scoring) =>
      service.community.page('for-you', { user_id: 'viewer', scoring }),
    ),
  );
  for (const page of pages) expect(page).toEqual(pages[0]);
  expect(pages[0]).toHaveLength(4);
});

it('1.2 balanced_feed_v0.0.1 balances interest and affinity: either alone raises an item', async (service) => {
  const page = await service.community.page('for-you', { user_id: 'viewer' });
  const score = (item_id: string) => page.find((item) => item.item_id === item_id)?.score ?? 0;
  for (const item_id of ['music-02', 'music-03', 'tip']) {
    expect([item_id, score(item_id) > score('other')]).toEqual([item_id, true]);
  }
  const found = (item_id: string) => page.find((item) => item.item_id === item_id);
  expect(found('music-02')?.interest_score).toBeGreaterThan(0);
  expect(found('tip')?.affinity_score).toBeGreaterThan(0);
  expect(found('other')).toMatchObject({ interest_score: 0, affinity_score: 0 });
});

it('1.2 ranking only orders: it drops nothing', async (service) => {
  expect(await service.set('for-you')).toEqual(['music-02', 'music-03', 'other', 'tip']);
});

test('1.2 time decay keeps items fresh', async () => {
  await using service = await openService();
  await service.community.addItem('old hit', { created_at: START - 7 * 86_400, likes_count: 500 });
  await service.community.addItem('fresh', { created_at: START - 3600, likes_count: 50 });
  expect(await service.page('popular')).toEqual(['old hit', 'fresh']);
  expect(await service.page('popular', { time_decay: 'none' })).toEqual(['old hit', 'fresh']);
  for (const time_decay of ['low', 'medium', 'high', { half_life_hours: 24 }]) {
    const page = await service.community.page('popular', { user_id: 'viewer', time_decay });
    const half_life = { low: 168, medium: 48, high: 12 }[String(time_decay)] ?? 24;
    for (const { item_id, score, adjusted_score } of page) {
      const hours = item_id === 'fresh' ? 1 : 168;
      expect(adjusted_score).toBeCloseTo(score * 0.5 ** (hours / half_life), 10);
    }
    expect(page[0].item_id).toBe('fresh');
  }
});

test('1.2 an unknown scoring function is refused, and the known ones are named', async () => {
  await using service = await serviceWith('a');
  const { status, body } = await service.community.ask('for-you', { user_id: 'viewer', scoring: 'best_v9' });
  expect(status).toBe(400);
  expect(body.detail).toContain('balanced_feed_v0.0.1');
});

test('1 popular feeds count engagement of all time, or of the last day, week or month', async () => {
  await using service = await openService();
  const { community } = service;
  const created_at = START - 100 * DAY;
  const counted = (item_id: string, likes_count: number, days_ago: number) =>
    community.add('items', { item_id, likes_count, updated_at: START - days_ago * DAY });
  // The first count of a source came with the item, however late it arrives.
  await community.addItem('classic', { created_at, likes_count: 1000, updated_at: START - 60 });
  for (const [item_id, days_ago] of [
    ['month', 20],
    ['week', 5],
    ['day', 0.5],
  ] as const) {
    await community.addItem(item_id, { created_at, likes_count: 3, updated_at: created_at });
    await counted(item_id, 3, days_ago + 0.1);
    await counted(item_id, { month: 300, week: 200, day: 100 }[item_id], days_ago);
  }
  await community.addItem('new', { created_at: START - DAY / 2, likes_count: 50 });
  await service.likes('classic', ...numbered('fan', 5));
  expect(await service.page('popular')).toEqual(['classic', 'month', 'week', 'day', 'new']);
  expect(await service.page('popular', { scoring: 'all' })).toEqual(await service.page('popular'));
  expect(await service.page('popular', { scoring: '30day' })).toEqual([
    'month',
    'week',
    'day',
    'new',
    'classic',
  ]);
  expect(await service.page('popular', { scoring: '7day' })).toEqual([
    'week',
    'day',
    'new',
    'classic',
    'month',
  ]);
  const page = await community.page('popular', { scoring: '1day' });
  expect(page.map(({ item_id, score }) => [item_id, score])).toEqual([
    ['day', 97 / 117],
    ['new', 50 / 70],
    ['classic', 5 / 25],
    // Without recent engagement the items are still listed.
    ['month', 0],
    ['week', 0],
  ]);
});
